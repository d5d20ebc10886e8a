// The files of this folder, embedded in the program so that it stays one file.
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "CScenarios.h"

#include <stddef.h>

static const unsigned char healthy_day[] = {
#embed "scenarios/healthy-day.json5"
};
static const unsigned char cold_bootstrap[] = {
#embed "scenarios/cold-bootstrap.json5"
};
static const unsigned char offline_commute[] = {
#embed "scenarios/offline-commute.json5"
};
static const unsigned char flaky_push[] = {
#embed "scenarios/flaky-push.json5"
};
static const unsigned char poison_item[] = {
#embed "scenarios/poison-item.json5"
};
static const unsigned char dead_letters[] = {
#embed "scenarios/dead-letters.json5"
};
static const unsigned char captive_portal[] = {
#embed "scenarios/captive-portal.json5"
};
static const unsigned char server_outage[] = {
#embed "scenarios/server-outage.json5"
};
static const unsigned char session_expired[] = {
#embed "scenarios/session-expired.json5"
};
static const unsigned char hung_call[] = {
#embed "scenarios/hung-call.json5"
};
static const unsigned char conflicting_edits[] = {
#embed "scenarios/conflicting-edits.json5"
};
static const unsigned char power_cut[] = {
#embed "scenarios/power-cut.json5"
};
static const unsigned char rate_limit_storm[] = {
#embed "scenarios/rate-limit-storm.json5"
};
static const unsigned char clock_jump[] = {
#embed "scenarios/clock-jump.json5"
};
static const unsigned char ordinary_evening[] = {
#embed "scenarios/delivery/ordinary-evening.json5"
};
static const unsigned char endpoint_outage[] = {
#embed "scenarios/delivery/endpoint-outage.json5"
};
static const unsigned char come_back_later[] = {
#embed "scenarios/delivery/come-back-later.json5"
};
static const unsigned char tunnel[] = {
#embed "scenarios/delivery/tunnel.json5"
};
static const unsigned char lost_answers[] = {
#embed "scenarios/delivery/lost-answers.json5"
};
static const unsigned char slow_line[] = {
#embed "scenarios/delivery/slow-line.json5"
};
static const unsigned char oversized_batches[] = {
#embed "scenarios/delivery/oversized-batches.json5"
};
static const unsigned char bad_batch[] = {
#embed "scenarios/delivery/bad-batch.json5"
};
static const unsigned char revoked_key[] = {
#embed "scenarios/delivery/revoked-key.json5"
};
static const unsigned char killed_offline[] = {
#embed "scenarios/delivery/killed-offline.json5"
};
static const unsigned char full_disk[] = {
#embed "scenarios/delivery/full-disk.json5"
};
static const unsigned char week_in_a_drawer[] = {
#embed "scenarios/delivery/week-in-a-drawer.json5"
};

static const struct embedded_file sync_stories[] = {
    {"healthy-day", healthy_day, sizeof healthy_day},
    {"cold-bootstrap", cold_bootstrap, sizeof cold_bootstrap},
    {"offline-commute", offline_commute, sizeof offline_commute},
    {"flaky-push", flaky_push, sizeof flaky_push},
    {"poison-item", poison_item, sizeof poison_item},
    {"dead-letters", dead_letters, sizeof dead_letters},
    {"captive-portal", captive_portal, sizeof captive_portal},
    {"server-outage", server_outage, sizeof server_outage},
    {"session-expired", session_expired, sizeof session_expired},
    {"hung-call", hung_call, sizeof hung_call},
    {"conflicting-edits", conflicting_edits, sizeof conflicting_edits},
    {"power-cut", power_cut, sizeof power_cut},
    {"rate-limit-storm", rate_limit_storm, sizeof rate_limit_storm},
    {"clock-jump", clock_jump, sizeof clock_jump},
};

static const struct embedded_file delivery_stories[] = {
    {"ordinary-evening", ordinary_evening, sizeof ordinary_evening},
    {"endpoint-outage", endpoint_outage, sizeof endpoint_outage},
    {"come-back-later", come_back_later, sizeof come_back_later},
    {"tunnel", tunnel, sizeof tunnel},
    {"lost-answers", lost_answers, sizeof lost_answers},
    {"slow-line", slow_line, sizeof slow_line},
    {"oversized-batches", oversized_batches, sizeof oversized_batches},
    {"bad-batch", bad_batch, sizeof bad_batch},
    {"revoked-key", revoked_key, sizeof revoked_key},
    {"killed-offline", killed_offline, sizeof killed_offline},
    {"full-disk", full_disk, sizeof full_disk},
    {"week-in-a-drawer", week_in_a_drawer, sizeof week_in_a_drawer},
};

#define ANSWER(table) \
  *count = sizeof table / sizeof *table; \
  return table

const struct embedded_file *embedded_files(enum embedded_group group, size_t *count) {
  switch (group) {
    case embedded_sync_stories: ANSWER(sync_stories);
    case embedded_delivery_stories: ANSWER(delivery_stories);
  }
  *count = 0;
  return NULL;
}
