#pragma once

#include <atomic>
#include <chrono>
#include <exception>

namespace stickslip::python {

/// Lets Python handle signals while the engine works and the interpreter is free: Ctrl-C becomes KeyboardInterrupt.
class SignalWatch {
public:
    /// Made with the interpreter's lock held.
    SignalWatch();

    /// Every now and then lets Python call its handlers; once one of them raises, stop() is true. To be called from the
    /// thread of the step, without the interpreter's lock. Python calls handlers on the main thread only.
    void poll();

    const std::atomic<bool>* stop() const { return &stop_; }
    void request() { stop_ = true; }

    /// After a stop, with the lock held: throws what the handler raised; returns where none did, and somebody asked.
    void rethrow();

private:
    std::atomic<bool> stop_ = false;
    std::exception_ptr raised_;
    std::chrono::steady_clock::time_point polled_;
    unsigned long main_thread_;
};

} // namespace stickslip::python
