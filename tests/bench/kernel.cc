/* Prints the kernel that simdjson chooses on this processor: "icelake" has AVX-512, "haswell"
 * AVX2. */
#include <simdjson.h>
#include <cstdio>

int main()
{
	std::puts(simdjson::get_active_implementation()->name().c_str());
	return 0;
}
