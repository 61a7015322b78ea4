#include "decisions/decision_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cluster/profile_file.h"
#include "decisions/decision_reader.h"
#include "policy/heuristics.h"
#include "support/fake_wall_clock.h"
#include "support/temp_directory.h"
#include "unit/decisions/decided.h"

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class DecisionStoreTest : public ::testing::Test {
 protected:
  DecisionStore Open(const Retention& retention = {}) {
    return DecisionStore::Open(file_, retention).value();
  }
  DecisionReader Read() { return DecisionReader::Open(file_).value(); }

  DecisionRecord Record(uint64_t request) {
    return RecordOf(Decide(MakeFgdBestFit(), view_, request, clock_.Now()));
  }
  void Append(DecisionStore& store, std::vector<DecisionRecord> records) {
    const Status status = store.Append(records, clock_.Now());
    EXPECT_TRUE(status.ok()) << status;
  }
  std::vector<uint64_t> Requests() {
    std::vector<uint64_t> requests;
    const std::vector<DecisionRecord> records = Read().Next(1'000'000).value();
    for (const DecisionRecord& record : records) {
      requests.push_back(record.request);
    }
    return requests;
  }
  std::string MessageOfRead() {
    const auto reader = DecisionReader::Open(file_);
    return std::string(reader.status().message());
  }
  std::string MessageOfOpen() {
    const auto store = DecisionStore::Open(file_, {});
    return std::string(store.status().message());
  }

  const TempDirectory directory_;
  const std::string file_ = directory_.path() / "decisions.db";
  FakeWallClock clock_;
  ClusterViewPtr view_ = ViewOf({SmallNode("a"), NodeWithCpu("b", 9'000)}, SmallProfile());
};

void ExpectSame(const DecisionRecord& got, const DecisionRecord& want) {
  EXPECT_EQ(got.request, want.request);
  EXPECT_EQ(got.time, want.time);
  EXPECT_EQ(got.pod, want.pod);
  EXPECT_EQ(got.demand, want.demand);
  EXPECT_EQ(ProfileJson(*got.profile), ProfileJson(*want.profile));
  EXPECT_EQ(got.profile->fleet(), want.profile->fleet());
  EXPECT_EQ(got.profile->pods_leave(), want.profile->pods_leave());
  EXPECT_EQ(got.context, want.context);
  EXPECT_EQ(got.nodes, want.nodes);
  EXPECT_EQ(got.feasible, want.feasible);
  EXPECT_EQ(got.more_classes, want.more_classes);
  EXPECT_EQ(got.gpus, want.gpus);
  EXPECT_EQ(got.policy, want.policy);
  EXPECT_EQ(got.guard, want.guard);
  EXPECT_EQ(got.latency, want.latency);
  ASSERT_EQ(got.classes.size(), want.classes.size());
  for (size_t i = 0; i < got.classes.size(); ++i) {
    EXPECT_EQ(*got.classes[i].example.spec, *want.classes[i].example.spec);
    EXPECT_EQ(got.classes[i].example.free, want.classes[i].example.free);
    EXPECT_EQ(got.classes[i].nodes, want.classes[i].nodes);
    EXPECT_EQ(got.classes[i].score, want.classes[i].score);
  }
}

TEST_F(DecisionStoreTest, GivesBackWhatItWasGivenAlsoWhenOpenedAnew) {
  const Fleet fleet{.gpus = {{GpuModel("G2"), MilliGpu(8'000)}, {GpuModel(""), MilliGpu(1)}},
                    .cpu = MilliCpu(64'000)};
  const auto mix =
      std::make_shared<const WorkloadProfile>(SmallProfile()->WithDepartures(false).On(fleet));
  view_ = ViewOf({SmallNode("a"), NodeWithCpu("b", 9'000)}, mix, {.gpu_load_bucket = 5});
  DecisionRecord first = Record(1);
  first.guard = "berth was late";
  first.demand.models = AllowedModels({"G2", "G3"});
  Append(*std::make_unique<DecisionStore>(Open()), {first});
  view_ = ViewOf({NodeWithCpu("a", 0)}, SmallProfile());
  const DecisionRecord second = Record(2);
  Append(*std::make_unique<DecisionStore>(Open()), {second});

  const auto read = Read().Next(10);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_THAT(*read, SizeIs(2));
  ExpectSame((*read)[0], first);
  ExpectSame((*read)[1], second);
}

TEST_F(DecisionStoreTest, IsReadWhileItIsWritten) {
  DecisionStore store = Open();
  DecisionReader reader = Read();
  Append(store, {Record(1), Record(2), Record(3)});
  EXPECT_THAT(reader.Next(2).value(), SizeIs(2));
  Append(store, {Record(4)});
  EXPECT_THAT(reader.Next(2).value(), SizeIs(2));
  EXPECT_THAT(reader.Next(2).value(), SizeIs(0));
}

TEST_F(DecisionStoreTest, FindsThePodByAnyOfItsNames) {
  DecisionStore store = Open();
  DecisionRecord other = Record(3);
  other.pod.namespace_name = "other";
  other.pod.name = "2";
  Append(store, {Record(1), Record(2), Record(2), other});
  DecisionReader reader = Read();
  EXPECT_EQ(reader.OfPod("ml/2")->count, 2);
  EXPECT_EQ(reader.OfPod("other/2")->last.request, 3u);
  EXPECT_EQ(reader.OfPod("uid-1")->last.request, 1u);
  EXPECT_EQ(reader.OfPod("3")->last.request, 3u) << "the number of the request";

  other.pod.name = "1";
  other.request = 77;
  Append(store, {other});
  EXPECT_THAT(std::string(reader.OfPod("1").status().message()),
              HasSubstr("several namespaces: say which, such as ml/1 or other/1"));
  EXPECT_THAT(std::string(reader.OfPod("no-such").status().message()),
              AllOf(HasSubstr(file_), HasSubstr("no decision about no-such")));
}

TEST_F(DecisionStoreTest, LetsGoOfWhatIsTooOld) {
  DecisionStore store = Open({.max_age = std::chrono::hours(48)});
  Append(store, {Record(1)});
  clock_.Advance(std::chrono::hours(30));
  Append(store, {Record(2)});
  EXPECT_THAT(Requests(), ElementsAre(1, 2));
  clock_.Advance(std::chrono::hours(30));
  Append(store, {Record(3)});
  EXPECT_THAT(Requests(), ElementsAre(2, 3));
}

TEST_F(DecisionStoreTest, LetsGoOfTheOldestWhereItIsTooMuch) {
  view_ = ViewOf(DifferentNodes(80), SmallProfile());
  constexpr int64_t kMost = int64_t{1} << 20;
  const DecisionRecord record = Record(1);
  {
    DecisionStore store = Open({.max_bytes = kMost});
    for (uint64_t batch = 0; batch < 40; ++batch) {
      std::vector<DecisionRecord> records(20, record);
      for (size_t i = 0; i < records.size(); ++i) records[i].request = 20 * batch + i;
      Append(store, records);
    }
  }
  EXPECT_LE(std::filesystem::file_size(file_), kMost);
  const std::vector<uint64_t> kept = Requests();
  EXPECT_GT(kept.size(), 100u);
  EXPECT_GT(kept.front(), 100u);
  EXPECT_EQ(kept.back(), 799u);
  EXPECT_EQ(kept.size(), kept.back() - kept.front() + 1);

  DecisionStore smaller = Open({.max_bytes = kMost / 4});
  Append(smaller, {record});
  EXPECT_LT(Requests().size(), kept.size() / 2);
}

TEST_F(DecisionStoreTest, KeepsEachMixOnceAndNoneThatNoDecisionHas) {
  DecisionStore store = Open({.max_age = std::chrono::hours(1)});
  Append(store, {Record(1), Record(2)});
  view_ = ViewOf({SmallNode("a")},
                 std::make_shared<WorkloadProfile>("another", std::span<const ClassCount>()));
  Append(store, {Record(3)});
  view_ = ViewOf({SmallNode("a")}, SmallProfile());
  Append(store, {Record(4)});
  const auto profiles = [&] {
    Database database = Database::Open(file_, Database::Access::kRead).value();
    return database.Integer("SELECT count(*) FROM profiles").value();
  };
  EXPECT_EQ(profiles(), 2);
  clock_.Advance(std::chrono::hours(2));
  Append(store, {Record(5)});
  EXPECT_EQ(profiles(), 1);
  EXPECT_THAT(Requests(), ElementsAre(5));
}

TEST_F(DecisionStoreTest, RefusesWhatItDoesNotUnderstand) {
  struct Case {
    std::string sql;
    std::string want;
  };
  const Case cases[] = {
      {"PRAGMA user_version = 3", "is a decision log of schema 3, and this program knows 2"},
      {"PRAGMA application_id = 0", "is no decision log"},
  };
  for (const Case& c : cases) {
    std::filesystem::remove(file_);
    { const DecisionStore store = Open(); }
    ASSERT_TRUE(Database::Open(file_, Database::Access::kWrite)->Run(c.sql).ok());
    EXPECT_THAT(MessageOfOpen(), AllOf(HasSubstr(file_), HasSubstr(c.want)));
    EXPECT_THAT(MessageOfRead(), AllOf(HasSubstr(file_), HasSubstr(c.want)));
  }
}

TEST_F(DecisionStoreTest, SaysThatAFileIsDamagedAndLeavesItAlone) {
  const std::string garbage(5'000, 'x');
  directory_.Write("decisions.db", garbage);
  EXPECT_THAT(MessageOfOpen(), AllOf(HasSubstr(file_), HasSubstr("is damaged, or no SQLite")));
  EXPECT_THAT(MessageOfRead(), AllOf(HasSubstr(file_), HasSubstr("is damaged, or no SQLite")));
  EXPECT_EQ(std::filesystem::file_size(file_), garbage.size());
}

TEST_F(DecisionStoreTest, SaysWhatItCannotOpen) {
  EXPECT_THAT(MessageOfRead(), HasSubstr(file_ + ": there is no such file"));
  const auto store = DecisionStore::Open(directory_.path() / "no-such" / "d.db", {});
  EXPECT_THAT(std::string(store.status().message()), HasSubstr("no-such/d.db: unable to open"));
}

TEST_F(DecisionStoreTest, NamesTheDecisionAndTheFieldThatIsWrong) {
  struct Case {
    std::string change;
    std::string want;
  };
  const Case cases[] = {
      {"demand = '{'", "this is not JSON"},
      {"classes = '{}'", "lacks the key"},
      {"gpus = '[3]'", "gpus: should be free ones"},
      {"classes = json_replace(classes, '$.classes[0][0]', 9)", "classes[0][0] is \"9\""},
      {"classes = json_replace(classes, '$.classes[0][6]', json('[1]'))", "a number for each GPU"},
      {"classes = json_replace(classes, '$.classes[0][2]', 'a')", "an example of its own"},
  };
  for (const Case& c : cases) {
    std::filesystem::remove(file_);
    DecisionStore store = Open();
    Append(store, {Record(1)});
    Database other = Database::Open(file_, Database::Access::kWrite).value();
    ASSERT_TRUE(other.Run("UPDATE decisions SET " + c.change).ok());
    DecisionReader reader = Read();
    EXPECT_THAT(std::string(reader.Next(10).status().message()),
                AllOf(HasSubstr(file_ + ": decision 1: "), HasSubstr(c.want)));
  }
}

}  // namespace
}  // namespace berth
