#pragma once

namespace berth {

// What a decision has led to. GPUs are counted in nodes: in parts of the largest node's GPUs.
struct Outcome {
  double placed = 0;         // GPUs that the job has taken
  double left_out = 0;       // GPUs asked for by jobs that get no place
  double fragmentation = 0;  // by how much F has grown: idle GPUs that the next job cannot use
};

}  // namespace berth
