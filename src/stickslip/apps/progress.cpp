#include "stickslip/apps/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace stickslip {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds refresh(100);
constexpr std::chrono::seconds least_pause(10);

std::string duration(double seconds)
{
    char text[32];
    if (!(seconds < 360000))
        return "-";
    const int s = static_cast<int>(std::lround(seconds));
    if (s < 60)
        std::snprintf(text, sizeof text, "%d s", s);
    else if (s < 3600)
        std::snprintf(text, sizeof text, "%d:%02d min", s / 60, s % 60);
    else
        std::snprintf(text, sizeof text, "%d:%02d h", s / 3600, s / 60 % 60);
    return text;
}

std::string run_line(const RunProgress& p)
{
    char text[256];
    std::snprintf(text, sizeof text, "t %.4g of %.4g s  step %llu  %s  %.3g steps/s  %s left", p.time, p.end,
        static_cast<unsigned long long>(p.totals->steps), p.words().c_str(), p.steps_per_second,
        duration(p.seconds_left).c_str());
    return text;
}

std::string step_line(const RunProgress& p, const StepProgress& step)
{
    char text[256], halved[64] = "", descent[32] = "";
    if (step.descent_steps > 0)
        std::snprintf(descent, sizeof descent, " and %d of descents", step.descent_steps);
    if (step.failures > 0)
        std::snprintf(halved, sizeof halved, "  dt %.3g s after %d failed solves", step.dt, step.failures);
    std::snprintf(text, sizeof text, "t %.4g of %.4g s  step %llu for %s%s  try %d  iteration %d%s  residual %.1e m/s",
        p.time, p.end, static_cast<unsigned long long>(p.totals->steps) + 1, duration(step.seconds).c_str(), halved,
        step.tries, step.iterations, descent, step.residual);
    return text;
}

} // namespace

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet)
    , terminal_(isatty(STDERR_FILENO))
{
}

bool ProgressLine::due(const RunProgress& progress)
{
    const auto now = Clock::now();
    const bool last = progress.time >= progress.end * (1 - 1e-9);
    if (terminal_) {
        if (!last && now - last_ < refresh)
            return false;
    } else {
        const double share = progress.time / progress.end;
        if (!last && (share < next_share_ || now - last_ < least_pause))
            return false;
        next_share_ = share + 0.1;
    }
    last_ = now;
    return true;
}

bool ProgressLine::due_within(const StepProgress& step)
{
    const auto now = Clock::now();
    const std::chrono::duration<double> half_of_it(0.5 * step.seconds);
    if (step.seconds < 1 || now - last_ < (terminal_ ? refresh : least_pause)
        || (!terminal_ && now - last_ < half_of_it))
        return false;
    last_ = now;
    return true;
}

void ProgressLine::show(const RunProgress& p)
{
    if (quiet_ || !(p.within ? due_within(*p.within) : due(p)))
        return;
    show(p.within ? step_line(p, *p.within) : run_line(p));
}

void ProgressLine::show(const std::string& line)
{
    if (terminal_) {
        std::fprintf(stderr, "\r\033[K%s", line.c_str());
        line_open_ = true;
    } else {
        std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stderr);
}

void ProgressLine::message(const std::string& line)
{
    if (line_open_)
        std::fprintf(stderr, "\r\033[K");
    std::fprintf(stderr, "%s\n", line.c_str());
    line_open_ = false;
}

void ProgressLine::note(const std::string& line)
{
    if (!quiet_)
        message(line);
}

void ProgressLine::finish()
{
    if (line_open_)
        std::fprintf(stderr, "\n");
    line_open_ = false;
}

} // namespace stickslip
