# The wheel: scripts/package wheel.
EXTRA_DIST += \
	packaging/python/README.md \
	packaging/python/build.py \
	packaging/python/stepstat/__init__.py \
	packaging/python/stepstat/_arguments.py \
	packaging/python/stepstat/_commands.py \
	packaging/python/stepstat/_program.py \
	packaging/python/stepstat/_recording.py \
	packaging/python/stepstat/_tables.py \
	packaging/python/stepstat/callbacks.py \
	packaging/python/stepstat/jax.py \
	packaging/python/stepstat/py.typed \
	packaging/python/stepstat/spark.py \
	packaging/python/stepstat/torch.py
