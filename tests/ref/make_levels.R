# Values of tests/unit/test_levels.c: R 4.2.2 with lme4 1.1-31 (`apt-get install r-cran-lme4`).
# Rscript tests/ref/make_levels.R; also writes tests/data/stats/textbook/pastes.csv.
suppressMessages(library(lme4))
options(digits = 15)

# Intervals at 90 % of Dyestuff by Ting, Burdick, Graybill, Jeyaratnam and Lu (1990), written out.
n1 <- 24; n2 <- 5; c2 <- 1 / 5; a <- 0.05
s2 <- var(tapply(Dyestuff$Yield, Dyestuff$Batch, mean))
s1 <- mean(tapply(Dyestuff$Yield, Dyestuff$Batch, var))
low <- function() {
	g2 <- 1 - n2 / qchisq(1 - a, n2)
	h1 <- n1 / qchisq(a, n1) - 1
	f <- qf(1 - a, n2, n1)
	g12 <- ((f - 1)^2 - g2^2 * f^2 - h1^2) / f
	s2 - c2 * s1 - sqrt(g2^2 * s2^2 + h1^2 * c2^2 * s1^2 + g12 * c2 * s2 * s1)
}
high <- function() {
	h2 <- n2 / qchisq(a, n2) - 1
	g1 <- 1 - n1 / qchisq(1 - a, n1)
	f <- qf(a, n2, n1)
	h12 <- ((1 - f)^2 - h2^2 * f^2 - g1^2) / f
	s2 - c2 * s1 + sqrt(h2^2 * s2^2 + g1^2 * c2^2 * s1^2 + h12 * c2 * s2 * s1)
}
cat("session", s2 - c2 * s1, low(), high(), "\n")
cat("run", s1, s1 * n1 / qchisq(1 - a, n1), s1 * n1 / qchisq(a, n1), "\n")

# Nested: samples of casks of batches (Davies and Goldsmith 1972).
write.csv(Pastes[, c("strength", "batch", "cask")], "tests/data/stats/textbook/pastes.csv",
	row.names = FALSE, quote = FALSE)
print(VarCorr(lmer(strength ~ 1 + (1 | batch / cask), Pastes)), comp = "Variance", digits = 12)

# What one of 30 nights sees in 80 %, in sd of a session: one row, and one of 20.
cat("sees", (qt(1 - 0.05 / c(1, 20) / 2, 29) + qt(0.8, 29)) * sqrt(1 + 1 / 30), "\n")
