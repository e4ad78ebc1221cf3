#pragma once

namespace stickslip {

/// The moments of frames, rows and checkpoints are `start` and the multiples of an interval [s] after it. Times of a
/// run are sums: a state counts as at a moment when less than a millionth of a step is missing.

/// The first moment after `time`.
double next_moment(double time, double start, double interval, double step);

/// The same for a run that goes on at `time`: `kept`, to its last bit, if that is such a moment. It is none when the
/// interval has changed since.
double resumed_moment(double kept, double time, double start, double interval, double step);

} // namespace stickslip
