/* Damages a file the same way every time: damage cut|flip SEED FILE writes FILE cut off at a place
 * that the seed chooses, or with one bit changed there, to standard output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST (64 * 1024 * 1024)

/* A step of splitmix64: spreads small seeds over all 64 bits. */
static uint64_t spread(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

int main(int argc, char **argv)
{
	unsigned char *bytes = malloc(FILE_MOST);
	FILE *file = argc == 4 ? fopen(argv[3], "rb") : NULL;
	size_t size;
	uint64_t at;

	if (!bytes || !file || (strcmp(argv[1], "cut") != 0 && strcmp(argv[1], "flip") != 0)) {
		fprintf(stderr, "usage: damage cut|flip SEED FILE\n");
		return 2;
	}
	size = fread(bytes, 1, FILE_MOST, file);
	fclose(file);
	if (size == 0)
		return 2;
	at = spread(strtoull(argv[2], NULL, 10));
	if (strcmp(argv[1], "cut") == 0) {
		size = (size_t)(at % size);
	} else {
		bytes[at / 8 % size] ^= (unsigned char)(1u << at % 8);
	}
	fwrite(bytes, 1, size, stdout);
	free(bytes);
	return fflush(stdout) == 0 ? 0 : 2;
}
