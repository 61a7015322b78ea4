#pragma once

#include <cstdio>
#include <cstdlib>

// A broken invariant is our own mistake: stop at once and say where, rather than go on and place
// pods on wrong books. Never for input from outside, which gets a Status.
#define BERTH_CHECK(condition, message)                                                         \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      std::fprintf(stderr, "%s:%d: broken invariant: %s (%s)\n", __FILE__, __LINE__, (message), \
                   #condition);                                                                 \
      std::abort();                                                                             \
    }                                                                                           \
  } while (false)
