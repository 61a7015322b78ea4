#include "apps/berth/training_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using nlohmann::json;
using testing::IsEmpty;

Recipe Named() {
  return {.name = "mine", .packing = {.pods = {"openb_pod_list_default.csv", "own/monday.csv"}}};
}

TEST(TrainingPageData, HoldsEveryLineAsItStands) {
  const json data = TrainingPageData(Named(),
                                     "{\"generation\":1,\"step\":0.5,\"validation\":-1.5}\n"
                                     "{\"generation\":2,\"kl\":0.01,\"of_no_known_method\":7}\n");
  EXPECT_EQ(data.at("name"), "mine");
  EXPECT_EQ(data.at("pods"), json::parse(R"({"packing": ["default", "monday"]})"));
  EXPECT_EQ(data.at("lines"), json::parse(R"([
      {"generation": 1, "step": 0.5, "validation": -1.5},
      {"generation": 2, "kl": 0.01, "of_no_known_method": 7}])"));
}

TEST(TrainingPageData, NamesTheListsOfBothRegimes) {
  Recipe recipe = Named();
  recipe.living.emplace().pods = {"openb_pod_list_gpuspec33.csv"};
  EXPECT_EQ(TrainingPageData(recipe, "").at("pods").at("living"), json::array({"gpuspec33"}));
}

TEST(TrainingPageData, LeavesOutWhatIsNoLine) {
  const char* const table[] = {"", "\n", "\n\n", "{\"generation\":1,\"st", "7\n", "\xff\n"};
  for (const char* log : table) {
    EXPECT_THAT(TrainingPageData(Named(), log).at("lines"), IsEmpty()) << log;
  }
  const json torn = TrainingPageData(Named(), "{\"generation\":1}\n{\"generation\":2,");
  EXPECT_EQ(torn.at("lines"), json::parse(R"([{"generation": 1}])"));
}

}  // namespace
}  // namespace berth
