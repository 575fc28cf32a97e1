# Makes compare_series.csv and compare.csv beside it, and data/stats/nested/run_logs.csv: what
# tests/unit/test_{tests,ranks,moderated,multiple,equivalence}.c expect beyond textbook data.
# Debian 12: R 4.2.2, r-bioc-limma 3.54.1, r-cran-exactranktests 0.8-35. Run from tests/ref:
#   Rscript make_compare.R PATH/nested_steps.csv.gz
# One line per name: NAME,value,value,...; an unknown value is nan.
suppressMessages({library(limma); library(exactRankTests)})
num <- function(x) { s <- formatC(as.numeric(x), digits = 17, format = "g"); s[is.na(x)] <- "nan"; s[is.infinite(x)] <- "inf"; gsub(" ", "", s) }
series <- character(); expected <- character()
S <- function(name, x) series <<- c(series, paste(c(name, num(x)), collapse = ","))
E <- function(name, x) expected <<- c(expected, paste(c(name, num(unname(x))), collapse = ","))

## ---- run means of log time after step 3 of the nested set ----------------------------------------
args <- commandArgs(TRUE)
if (length(args) > 0) {
	N <- read.csv(args[1]); N <- N[N$step > 3, ]
	M <- tapply(log(N$us), list(N$op, paste0(N$side, N$run)), mean)
	writeLines(apply(cbind(rownames(M), apply(M, 2, num)), 1, paste, collapse = ","), "../data/stats/nested/run_logs.csv")
}

## ---- adjusted p values --------------------------------------------------------------------------
set.seed(7)
P <- list(ties = c(0.01, 0.02, 0.02, 0.02, 0.5, 0.5, 0.04, 1, 1, 0.001),
	missing = c(0.01, NA, 0.03, 0.002, NA, 0.2, 0.03, NaN, 0.9), one = 0.03, alone = c(NA, 0.2, NA),
	many = round(c(rbeta(280, 1, 1), rbeta(20, 0.05, 20)), 6), zeros = c(0, 0, 1e-300, 0.5, 0.99))
for (k in names(P)) { S(paste0("p.", k), P[[k]])
	for (m in c("BH", "BY", "holm")) E(paste0(m, ".", k), p.adjust(P[[k]], m)) }

## ---- moderated t --------------------------------------------------------------------------------
# Each case: rows are ops; the first nb columns are base. Expected: s2.prior df.prior, then per op.
moderated <- function(name, Y, nb, trend = FALSE) {
	nn <- ncol(Y) - nb
	for (g in seq_len(nrow(Y))) S(sprintf("mod.%s.%d", name, g), Y[g, ])
	fit <- suppressWarnings(eBayes(lmFit(Y, cbind(1, rep(0:1, c(nb, nn)))), trend = trend))
	E(sprintf("mod.%s", name), c(nrow(Y), nb, nn, fit$df.prior, fit$s2.prior[1]))
	for (g in seq_len(nrow(Y))) E(sprintf("mod.%s.%d", name, g), c(fit$coefficients[g, 2], fit$t[g, 2],
		fit$df.total[g], fit$p.value[g, 2], fit$s2.post[g], rep_len(fit$s2.prior, nrow(Y))[g]))
}
draw <- function(G, R, d0 = 6, s0 = 0.02) matrix(rnorm(G * R, 0, sqrt(d0 * s0^2 / rchisq(G, d0))), G) + rnorm(G, 5, 1)
set.seed(1); moderated("unequal", draw(40, 7), 3)
set.seed(2); moderated("two", draw(30, 4), 2)
set.seed(3); Y <- draw(40, 8); Y[3, 2] <- NA; Y[7, c(1, 8)] <- NA; Y[20, 5] <- NA; moderated("missing", Y, 4)
even <- function(G, R, nb) { Y <- matrix(rnorm(G * R), G); s <- rep(1:2, c(nb, R - nb)) # all residual variances nearly equal
	for (g in 1:G) { r <- Y[g, ] - ave(Y[g, ], s); Y[g, ] <- Y[g, ] / sqrt(sum(r^2) / (R - 2)) * 0.02 * exp(rnorm(1, 0, 0.05)) }; Y }
set.seed(5); moderated("infinite", even(25, 8, 4), 4)
set.seed(6); moderated("capped", even(3, 6, 3), 3)
set.seed(8); Y <- draw(30, 6) - 5; Y[4, ] <- Y[4, ] * 1e-6; moderated("tiny", Y, 3)
set.seed(9); Y <- draw(40, 6); Y[1:20, ] <- 5 + (Y[1:20, ] - 5) / 3; moderated("trend", Y, 3, rep(0:1, each = 20))
set.seed(10); moderated("alone", draw(1, 6), 3)
# Rounds: columns are differences new - base, tested against 0. The header has 0 runs of base.
rounds <- function(name, D) {
	for (g in seq_len(nrow(D))) S(sprintf("mod.%s.%d", name, g), D[g, ])
	fit <- suppressWarnings(eBayes(lmFit(D, matrix(1, ncol(D)))))
	E(sprintf("mod.%s", name), c(nrow(D), 0, ncol(D), fit$df.prior, fit$s2.prior[1]))
	for (g in seq_len(nrow(D))) E(sprintf("mod.%s.%d", name, g), c(fit$coefficients[g, 1], fit$t[g, 1],
		fit$df.total[g], fit$p.value[g, 1], fit$s2.post[g], fit$s2.prior))
}
set.seed(12); rounds("rounds3", draw(40, 3) - draw(40, 3) + c(0.1, rep(0, 9)))
set.seed(13); D <- draw(30, 6) - draw(30, 6); D[2, 1] <- NA; D[9, c(2, 5, 6)] <- NA; rounds("roundsmissing", D)

## ---- rank sums and signed ranks with ties ---------------------------------------------------------
set.seed(11)
ranks <- function(name, x, y) { S(paste0("rank.", name, ".base"), x); S(paste0("rank.", name, ".new"), y)
	a <- wilcox.exact(y, x); E(paste0("rank.", name), c(a$statistic, a$p.value,
		wilcox.exact(y, x, alternative = "less")$p.value, wilcox.exact(y, x, alternative = "greater")$p.value)) }
ranks("ties5x4", c(1, 2, 2, 3, 5), c(2, 3, 3, 9))
ranks("ties3x9", c(1, 1, 4), c(1, 2, 2, 3, 4, 4, 4, 8, 9))
ranks("ties9x3", c(1, 2, 2, 3, 4, 4, 4, 8, 9), c(1, 1, 4))
ranks("same", c(2, 2, 2), c(2, 2, 2, 2))
ranks("round20x15", round(rnorm(20), 1), round(rnorm(15, 0.4), 1))
ranks("round30x30", round(rnorm(30, 0, 2)), round(rnorm(30, 1, 2)))
signed <- function(name, x) { S(paste0("signed.", name), x); a <- wilcox.exact(x)
	E(paste0("signed.", name), c(a$statistic, a$p.value)) }
signed("ties", c(1, 2, -2, 3, 3, 0, -1, 4, 5)); signed("zeros", c(0, 0, 1, -3, 2)); signed("round25", round(rnorm(25, 0.5), 1))
## without ties, the interval too (wilcox.test)
plain <- function(name, x, y) { S(paste0("shift.", name, ".base"), x); S(paste0("shift.", name, ".new"), y)
	for (l in c(0.9, 0.95, 0.99)) { a <- wilcox.test(y, x, exact = TRUE, conf.int = TRUE, conf.level = l)
		E(sprintf("shift.%s.%g", name, l), c(a$statistic, a$p.value, a$estimate, a$conf.int)) } }
plain("5x5", rnorm(5), rnorm(5, 1)); plain("4x9", rnorm(4), rnorm(9, 1)); plain("40x35", rnorm(40), rnorm(35, 0.5))
S("centre.12", x <- rnorm(12, 1)); for (l in c(0.9, 0.95, 0.99)) { a <- wilcox.test(x, exact = TRUE, conf.int = TRUE, conf.level = l)
	E(sprintf("centre.12.%g", l), c(a$statistic, a$p.value, a$estimate, a$conf.int)) }

## ---- t tests --------------------------------------------------------------------------------------
S("t.a", a <- round(rnorm(4, 10), 3)); S("t.b", b <- round(rnorm(7, 11, 3), 3))
for (l in c(0.9, 0.99)) for (e in c(FALSE, TRUE)) { r <- t.test(b, a, var.equal = e, conf.level = l)
	E(sprintf("t.%s.%g", if (e) "student" else "welch", l), c(diff(rev(r$estimate)), r$stderr, r$parameter, r$statistic, r$p.value, r$conf.int)) }
## tails of t: t, df, P(T > t)
for (d in c(1, 2.5, 10.4, 31, 50, 100, 600.5, Inf)) for (t in c(0.01, 1, 3, 5, 8, 12)) E("tail", c(t, d, pt(t, d, lower.tail = FALSE)))
## unbalanced one-way layout: groups as three series
g <- list(c(1.1, 1.3, 0.9, 1.2), c(2.1, 1.8), c(1.6, 1.4, 1.7, 1.9, 1.5)); for (k in 1:3) S(sprintf("oneway.%d", k), g[[k]])
A <- anova(lm(unlist(g) ~ factor(rep(1:3, lengths(g))))); n0 <- (11 - sum(lengths(g)^2) / 11) / 2
msb <- A$`Mean Sq`[1]; msw <- A$`Mean Sq`[2]
E("oneway", c(msb, msw, A$`F value`[1], A$`Pr(>F)`[1], n0, (msb - msw) / n0, (msb - msw) / (msb + (n0 - 1) * msw)))

## ---- power ---------------------------------------------------------------------------------------
## R's pt is an approximation for shifts above 37.62, and off by 1e-7 for some negative t, so the non-central t is integrated here.
upper <- function(t, d, ncp) { f <- function(s) pnorm(t * s - ncp, lower.tail = FALSE) * dchisq(s^2 * d, d) * 2 * s * d
	b <- sort(pmax(0, c(0, (ncp + c(-9, -3, 0, 3, 9)) / t, sqrt(qchisq(1e-17, d, lower.tail = FALSE) / d))))
	sum(sapply(seq_along(b)[-1], function(i) if (b[i] > b[i - 1]) integrate(f, b[i - 1], b[i], rel.tol = 1e-12, subdivisions = 1000)$value else 0)) }
for (n in c(2, 3, 5, 10, 20)) for (al in c(0.05, 0.001)) for (pw in c(0.8, 0.95)) { d <- 2 * (n - 1); t <- qt(al / 2, d, lower.tail = FALSE)
	E("mde", c(n, al, pw, sqrt(2 / n) * uniroot(function(ncp) upper(t, d, ncp) - pw, c(0.1, 300), tol = 1e-13)$root)) }
for (n in c(2, 5, 20)) for (d in c(0.2, 1, 3)) for (al in c(0.05, 0.01)) E("power", c(n, d, al, power.t.test(n = n, delta = d, sig.level = al)$power))
for (d in c(0.5, 1, 2)) for (pw in c(0.8, 0.9)) E("runs", c(d, pw, power.t.test(delta = d, power = pw, tol = 1e-12)$n))
for (ncp in c(0.5, 2, 5, 10)) for (d in c(1, 2.5, 8, 40)) for (t in c(-1, 0.5, 3, 12)) E("shifted", c(t, d, ncp, upper(t, d, ncp)))

writeLines(series, "compare_series.csv"); writeLines(expected, "compare.csv")
