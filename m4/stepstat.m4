# Dependencies are collected, so that one message names everything that is missing.

# STEPSTAT_MISSING(WHAT, DEBIAN-PACKAGE)
AC_DEFUN([STEPSTAT_MISSING],
[AC_MSG_NOTICE([$1 is missing (Debian package $2)])
stepstat_missing="$stepstat_missing $2"])

# STEPSTAT_PKG(PREFIX, PKG-CONFIG-MODULE, DEBIAN-PACKAGE)
AC_DEFUN([STEPSTAT_PKG],
[PKG_CHECK_MODULES([$1], [$2], [], [
	# It may be there, and what it needs is not.
	AS_IF([dpkg-query -W -f='${db:Status-Status}' $3 2>/dev/null | grep -qx installed],
		[stepstat_needed="$stepstat_needed
$3 is installed, but pkg-config says: $$1_PKG_ERRORS"],
		[STEPSTAT_MISSING([$2], [$3])])])])

# STEPSTAT_MODULES(NAMES): modules for scripts below NODE_PATH, each in the Debian package node-NAME
AC_DEFUN([STEPSTAT_MODULES],
[for stepstat_module in $1; do
	AC_MSG_CHECKING([for $stepstat_module])
	AS_IF([test -f "$NODE_PATH/$stepstat_module/package.json"], [AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		STEPSTAT_MISSING([$stepstat_module], [node-$stepstat_module])])
done])

# STEPSTAT_REQUIRE: stops here when something was missing.
AC_DEFUN([STEPSTAT_REQUIRE],
[AS_IF([test -n "$stepstat_missing"],
	[AC_MSG_ERROR([missing Debian packages:$stepstat_missing
To install them: apt-get install$stepstat_missing$stepstat_needed])])
AS_IF([test -n "$stepstat_needed"], [AC_MSG_ERROR([a library lacks what it needs:$stepstat_needed])])])

# STEPSTAT_FLAGS(VARIABLE, FLAGS): adds them to the variable where the compiler knows all of them.
AC_DEFUN([STEPSTAT_FLAGS],
[stepstat_cflags=$CFLAGS
CFLAGS="$CFLAGS -Werror $2"
AC_MSG_CHECKING([whether $CC knows $2])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
	[AC_MSG_RESULT([yes])
	$1="$$1 $2"],
	[AC_MSG_RESULT([no])])
CFLAGS=$stepstat_cflags])
