/* The first packets, looked at before the trace is read. */
#define _GNU_SOURCE /* memmem */
#include <string.h>
#include "ingest/perfetto/clocks.h"
#include "ingest/perfetto/ftrace.h"
#include "ingest/perfetto/packets.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "ingest/perfetto/producer.h"
#include "ingest/perfetto/sequences.h"

#define NS_PER_US 1000

bool pftrace_begins(const unsigned char *bytes, size_t size)
{
	return pf_packets_begin(bytes, size);
}

static bool has(struct pf_bytes bytes, const char *text)
{
	return bytes.size > 0 && memmem(bytes.at, bytes.size, text, strlen(text));
}

static const char *reader_named(struct pf_bytes name)
{
	for (size_t i = 0; i < reader_count; i++)
		if (reader_table[i]->dialect && text_is(name.at, name.size, reader_table[i]->name))
			return reader_table[i]->name;
	return NULL;
}

static void look_at_attributes(struct pf_bytes attributes, struct pftrace_head *head)
{
	struct pf_attribute a;
	size_t at = 0;

	while (pf_attributes_next(attributes, &at, &a)) {
		head->is_merged |= text_is(a.key.at, a.key.size, PF_ATTRIBUTE_MEMBER "stepstat") &&
				   has(a.text, "\"merged\"") && has(a.text, "\"parts\"");
		if (text_is(a.key.at, a.key.size, PF_ATTRIBUTE_READER) && reader_named(a.text))
			head->reader = reader_named(a.text);
	}
}

static void look_at_time(struct pf_clocks *clocks, const struct pf_packet *packet,
	const struct pf_sequence *sequence, struct pftrace_head *head)
{
	const uint32_t clock = packet->has_clock     ? packet->clock
			       : sequence->has_clock ? sequence->clock
						     : PF_CLOCK_BOOTTIME;
	int64_t ns;

	if (packet->has_time && head->starts < PFTRACE_STARTS_MOST &&
		pf_clocks_time(clocks, packet->sequence, clock, packet->time, &ns) &&
		(packet->event.at || packet->stage.at))
		head->start_us[head->starts++] = ns / NS_PER_US;
}

void pftrace_look(const unsigned char *bytes, size_t size, struct pftrace_head *head)
{
	struct input *in = input_memory(bytes, size, "");
	struct pf_packets *packets = pf_packets_new(in, size);
	struct pf_sequences *sequences = pf_sequences_new();
	struct pf_clocks *clocks = pf_clocks_new();
	struct pf_packet packet;
	struct error ignored;
	uint64_t offset;
	size_t lost;

	*head = (struct pftrace_head){0};
	while (pf_packets_next(packets, &packet, &offset, &ignored) > 0) {
		const struct pf_sequence *sequence = pf_sequences_take(sequences, &packet, &lost);

		if (!sequence)
			break;
		if (packet.clocks.at)
			pf_clocks_add(clocks, packet.sequence, packet.clocks);
		look_at_time(clocks, &packet, sequence, head);

		struct pf_bundle bundle = pf_bundle_open(packet.ftrace);
		struct pf_print print;
		int64_t ns;

		while (head->starts < PFTRACE_STARTS_MOST && pf_bundle_next(&bundle, &print))
			if (pf_clocks_time(clocks, packet.sequence, bundle.clock, print.time, &ns))
				head->start_us[head->starts++] = ns / NS_PER_US;
		if (packet.attributes.at)
			look_at_attributes(packet.attributes, head);
		if (!head->reader)
			head->reader = pf_reader_of(&packet);
	}
	pf_clocks_free(clocks);
	pf_sequences_free(sequences);
	pf_packets_free(packets);
	input_close(in);
}

bool pftrace_is_of(const struct probe *p, const char *reader)
{
	struct pftrace_head head;

	if (!pftrace_begins(p->bytes, p->size))
		return false;
	if (!reader)
		return true;
	pftrace_look(p->bytes, p->size, &head);
	return head.reader && strcmp(head.reader, reader) == 0;
}

bool pftrace_is_merged(const struct probe *p)
{
	struct pftrace_head head;

	if (!pftrace_begins(p->bytes, p->size))
		return false;
	pftrace_look(p->bytes, p->size, &head);
	return head.is_merged;
}
