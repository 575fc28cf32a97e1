/* Words that classify the host's events, in any format: those of the runtimes of devices, of
 * PyTorch's own code, of its users' annotations. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "ingest/events/eventlog.h"

/* The parts of a step of training. */
enum host_phase { PHASE_NONE, PHASE_FORWARD, PHASE_BACKWARD, PHASE_OPTIMISER, PHASE_INPUT };

const char *host_phase_name(enum host_phase phase); /* "backward"; "" for none */
/* Phase by the name that PyTorch's own code, or a server, has for the event; PHASE_NONE: it is no
 * such name. *covers: all launches within the event have this phase. */
enum host_phase host_phase_of_name(const char *name, size_t n, bool *covers);
/* Phase by the words "forward" and "backward" in a name that a user chose. */
enum host_phase host_phase_of_words(const char *name, size_t n);

/* True if it is the name of a function of autograd's backward pass: "AddmmBackward0". */
bool host_is_backward_function(const char *name, size_t n);

/* True if it is the name of a module's frame. */
bool host_is_module(const char *name, size_t n);
/* True if it is the name of a step of an inference server (vLLM, SGLang). */
bool host_is_serving_step(const char *name, size_t n);
/* True if such a name has the number of tokens, "execute_32_context_0(...)_generation_32(...)".
 * Such a step may be around another one, and around waits of the server. */
bool host_is_batch(const char *name, size_t n);
/* Work that a call of CUDA's or HIP's runtime, or driver, of this name starts: enum
 * launch_traits. */
uint32_t host_launch_traits(const char *name, size_t n);
/* True if a call of this name ends when all work launched on the device has ended. */
bool host_waits_for_device(const char *name, size_t n);
