# A reference of `make bench`: limma's moderated t test of the logarithms of the run means.
# usage: Rscript limma.R VALUES.npy OUT.csv, or --version
# VALUES.npy and OUT.csv are those of ttest.py.
suppressPackageStartupMessages(library(limma))

read_npy <- function(path) {
	file <- file(path, "rb")
	on.exit(close(file))
	head <- rawToChar(readBin(file, "raw", 128)[-(1:10)])
	shape <- sub(".*'shape': \\(([^)]*)\\).*", "\\1", head)
	dim <- as.numeric(strsplit(shape, ",")[[1]])
	# R counts the first index fastest.
	array(readBin(file, "double", prod(dim), size = 8, endian = "little"), rev(dim))
}

args <- commandArgs(TRUE)
if (args[1] == "--version") {
	cat("limma ", as.character(packageVersion("limma")), ", R ", as.character(getRversion()),
		"\n", sep = "")
	quit()
}
log_mean <- log(colMeans(read_npy(args[1])))
half <- ncol(log_mean) / 2
fit <- eBayes(lmFit(log_mean, cbind(1, rep(0:1, each = half))))
out <- data.frame(seq_len(nrow(log_mean)) - 1, fit$coefficients[, 2], fit$p.value[, 2])
write.table(out, args[2], sep = ",", row.names = FALSE, col.names = FALSE)
