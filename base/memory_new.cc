/* One handler for the end of memory, in C and in C++. */
#include <new>

extern "C" {
#include "base/memory.h"
}

static void no_memory()
{
	memory_exhausted(0);
}

extern "C" void memory_handle_new(void)
{
	std::set_new_handler(no_memory);
}
