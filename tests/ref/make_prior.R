# Makes prior_series.csv and prior.csv beside it: what tests/unit/test_prior.c expects of the robust
# prior of many variances (Phipson et al. 2016) and of the ratio of the sides' variances.
# Debian 12: R 4.2.2, r-bioc-limma 3.54.1, r-cran-statmod 1.5.0. Run from tests/ref: Rscript make_prior.R
# One line per name: NAME,value,value,...
suppressMessages({library(limma); library(statmod)})
num <- function(x) { s <- formatC(as.numeric(x), digits = 17, format = "g"); s[is.infinite(x)] <- "inf"; gsub(" ", "", s) }
series <- character(); expected <- character()
S <- function(name, x) series <<- c(series, paste(c(name, num(x)), collapse = ","))
E <- function(name, x) expected <<- c(expected, paste(c(name, num(unname(x))), collapse = ","))

## ---- robust prior: variances, their degrees of freedom; scale, df2, then df2.shrunk per variance ---
# limma stops its root at 1e-8 of df2/(1 + df2); here at 1e-14, so that the method is compared and not the stop.
robustly <- fitFDistRobustly
uniroot <- function(f, interval, tol, ...) stats::uniroot(f, interval = interval, tol = 1e-14, maxiter = 1000, ...)
environment(robustly) <- list2env(list(uniroot = uniroot, fitFDistRobustly = robustly), parent = asNamespace("limma"))
case <- function(name, s2, nu) {
	fit <- robustly(s2, nu, winsor.tail.p = c(0.05, 0.1))
	S(paste0("prior.", name, ".s2"), s2); S(paste0("prior.", name, ".nu"), rep_len(nu, length(s2)))
	E(paste0("prior.", name), c(length(s2), fit$scale[1], fit$df2))
	E(paste0("prior.", name, ".df"), rep_len(fit$df2.shrunk, length(s2)))
}
draw <- function(n, nu, d0, s0 = 0.0004) s0 * d0 / rchisq(n, d0) * rchisq(n, nu) / nu
M <- read.csv("../data/stats/nested/run_logs.csv", header = FALSE, row.names = 1)
residual <- function(n) { s <- rep(1:2, each = n); Y <- as.matrix(M[, c(1:n, 5 + 1:n)])
	apply(Y, 1, function(y) sum((y - ave(y, s))^2) / (2 * n - 2)) }
case("nested3", residual(3), 4)
case("nested5", residual(5), 8)
set.seed(21); x <- draw(200, 4, 8); x[1:20] <- 36 * x[1:20]; case("tenth", x, 4)
set.seed(22); x <- draw(60, 4, 6); x[1] <- 1e5 * x[1]; case("extreme", x, 4)
set.seed(23); case("clean", draw(100, 8, 5), 8)
set.seed(24); x <- draw(80, 4, 1e6); x[1:4] <- 50 * x[1:4]; case("infinite", x, 4)
set.seed(25); n <- rep(4, 50); n[c(3, 17)] <- 3; n[40] <- 2; x <- draw(50, n, 7); x[c(5, 17)] <- 40 * x[c(5, 17)]; case("missing", x, n)
set.seed(26); case("nine", draw(9, 4, 4), 4)
set.seed(27); case("ten", draw(10, 4, 4), 4)
## ---- ratio of two sides' variances: the most likely one by the density of F, and of limma's arrayWeights -
ratio <- function(name, Y, nb) {
	nn <- ncol(Y) - nb; ss <- function(y) rowSums((y - rowMeans(y))^2)
	b <- ss(Y[, 1:nb]); n <- ss(Y[, -(1:nb)]); f <- (n / (nn - 1)) / (b / (nb - 1))
	k <- exp(optimize(function(l) sum(df(f / exp(l), nn - 1, nb - 1, log = TRUE) - l), c(-8, 8), maximum = TRUE, tol = 1e-12)$maximum)
	side <- factor(rep(1:2, c(nb, nn)))
	w <- arrayWeights(Y, model.matrix(~side), var.group = side)
	S(paste0("ratio.", name, ".base"), b); S(paste0("ratio.", name, ".new"), n)
	E(paste0("ratio.", name), c(nb, nn, k, w[1] / w[ncol(Y)]))
}
wide <- function(G, nb, nn, times) { s <- sqrt(6 * 0.02^2 / rchisq(G, 6)); cbind(matrix(rnorm(G * nb), G) * s, matrix(rnorm(G * nn), G) * s * times) }
set.seed(31); ratio("10v3", wide(100, 10, 3, 4), 10)
set.seed(32); ratio("3v3", wide(60, 3, 3, 0.5), 3)
set.seed(33); ratio("same", wide(100, 5, 4, 1), 5)
writeLines(series, "prior_series.csv"); writeLines(expected, "prior.csv")
