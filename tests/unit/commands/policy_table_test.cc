#include "apps/berth/policy_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

PolicyListing AWeekWithACanary() {
  PolicyListing listing;
  listing.roles = {
      {.role = "active",
       .name = "fgd-bestfit",
       .version = "1",
       .record = {{.decisions = 12345, .p50 = 810us, .p99 = 1900us, .asked_again = 7}}},
      {.role = "canary",
       .name = "berth",
       .version = "2",
       .record = {{.decisions = 1000,
                   .differ = 312,
                   .regret = -0.0012,
                   .p50 = 1200us,
                   .p99 = 1950us,
                   .guarded = 2,
                   .asked_again = 1}}},
      {.role = "shadow", .name = "fgd", .version = "", .record = {}}};
  listing.directories = {{.directory = "berth-v2",
                          .name = "berth",
                          .version = "2",
                          .sha256 = "0123456789abcdef0123",
                          .problem = "",
                          .wanted = {"canary"}},
                         {.directory = "empty",
                          .name = "",
                          .version = "",
                          .sha256 = "",
                          .problem = "cannot read empty/manifest.json",
                          .wanted = {}}};
  listing.rollout_yaml = "active: fgd-bestfit\ncanary:\n  policy: berth-v2\n";
  return listing;
}

TEST(PolicyTable, SaysWhoAnswersHowItDoesAndWhatIsThere) {
  EXPECT_EQ(PolicyTable(AWeekWithACanary()),
            "ROLE    POLICY       VERSION  DECISIONS  DIFFER   REGRET      P50      P99  GUARDED  "
            "ASKED AGAIN\n"
            "active  fgd-bestfit  1            12345       -        -  0.81 ms  1.90 ms        0   "
            "         7\n"
            "canary  berth        2             1000  31.2 %  -0.12 %  1.20 ms  1.95 ms        2   "
            "         1\n"
            "shadow  fgd          -                -       -        -        -        -        -   "
            "         -\n"
            "\n"
            "policies in the folder (what rollout.yaml wants of them):\n"
            "  berth-v2  berth 2, 0123456789ab  (canary)\n"
            "  empty     cannot be read: cannot read empty/manifest.json\n"
            "\n"
            "rollout.yaml:\n"
            "  active: fgd-bestfit\n"
            "  canary:\n"
            "    policy: berth-v2\n");
}

TEST(PolicyTable, ARefusalStandsOut) {
  PolicyListing listing = AWeekWithACanary();
  listing.refused = "berth-v2/policy.pt: forward has a loop";
  EXPECT_THAT(PolicyTable(listing),
              HasSubstr("\nREFUSED: what rollout.yaml asks for is not in charge: "
                        "berth-v2/policy.pt: forward has a loop\n"));
}

TEST(PolicyListingJson, HasEverythingForScripts) {
  const auto json = PolicyListingJson(AWeekWithACanary());
  const auto& canary = json["roles"][1];
  EXPECT_EQ(canary["role"], "canary");
  EXPECT_EQ(canary["policy"], "berth");
  EXPECT_EQ(canary["decisions"], 1000);
  EXPECT_EQ(canary["regret"], -0.0012);
  EXPECT_EQ(canary["p99Ms"], 1.95);
  EXPECT_FALSE(json["roles"][2].contains("decisions")) << "nothing is counted";
  EXPECT_EQ(json["policies"][0]["directory"], "berth-v2");
  EXPECT_EQ(json["policies"][0]["wanted"], nlohmann::json({"canary"}));
  EXPECT_EQ(json["policies"][1]["problem"], "cannot read empty/manifest.json");
  EXPECT_EQ(json["rolloutYaml"], "active: fgd-bestfit\ncanary:\n  policy: berth-v2\n");
  EXPECT_EQ(json["refused"], "");
}

}  // namespace
}  // namespace berth
