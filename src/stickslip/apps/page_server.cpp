#include "stickslip/apps/page_server.h"

#include "stickslip/math/error.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <random>
#include <utility>

namespace stickslip {

namespace {

constexpr std::size_t longest_request = 16384; // [bytes]
constexpr int patience = 5; // [s] for a client that stops in the middle

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_stop(int)
{
    stopped = true;
}

[[noreturn]] void fail(const std::string& what)
{
    throw FileError(what + ": " + std::strerror(errno));
}

std::string response(const char* status, const PageAnswer& answer)
{
    return std::string("HTTP/1.1 ") + status + "\r\nContent-Type: " + answer.type
        + "\r\nContent-Length: " + std::to_string(answer.body.size())
        + "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin"
          "\r\nConnection: close\r\n\r\n"
        + answer.body;
}

std::string refusal(const char* status, const std::string& why)
{
    return response(status, {.type = "text/plain; charset=utf-8", .body = why + "\n"});
}

/// The head of the request, up to its empty line; empty when none comes.
std::string read_request(int connection)
{
    std::string request;
    char part[2048];
    while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t got = recv(connection, part, sizeof part, 0);
        if (got <= 0 || request.size() > longest_request)
            return {};
        request.append(part, static_cast<std::size_t>(got));
    }
    return request;
}

void send_all(int connection, const std::string& bytes)
{
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t now = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (now <= 0)
            return; // the browser has gone
        sent += static_cast<std::size_t>(now);
    }
}

/// The value of a header field; empty without one.
std::string header_field(const std::string& request, const std::string& name)
{
    std::size_t at = 0;
    while ((at = request.find("\r\n", at)) != std::string::npos) {
        at += 2;
        if (strncasecmp(request.c_str() + at, (name + ":").c_str(), name.size() + 1) != 0)
            continue;
        const std::size_t begin = at + name.size() + 1;
        std::string value = request.substr(begin, request.find("\r\n", at) - begin);
        value.erase(0, value.find_first_not_of(" \t"));
        return value;
    }
    return {};
}

std::string new_token()
{
    std::random_device random;
    std::string token;
    for (int i = 0; i < 32; ++i)
        token += "0123456789abcdef"[random() % 16];
    return token;
}

} // namespace

PageServer::PageServer(int port, Answer answer, Act act)
    : answer_(std::move(answer))
    , act_(std::move(act))
    , token_(new_token())
{
    const std::string what = "cannot listen on port " + std::to_string(port) + " (--serve=0 takes any that is free)";
    socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0)
        fail(what);
    const int on = 1;
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof place;
    if (bind(socket_, reinterpret_cast<sockaddr*>(&place), length) != 0 || listen(socket_, 16) != 0
        || getsockname(socket_, reinterpret_cast<sockaddr*>(&place), &length) != 0) {
        const int reason = errno;
        close(socket_);
        errno = reason;
        fail(what);
    }
    port_ = ntohs(place.sin_port);
}

PageServer::~PageServer()
{
    close(socket_);
}

void PageServer::run()
{
    std::signal(SIGINT, on_stop);
    std::signal(SIGTERM, on_stop);
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    while (!stopped) {
        constexpr int milliseconds = 200; // a signal may come just before poll() waits
        if (poll(&waiting, 1, milliseconds) <= 0)
            continue;
        const int connection = accept(socket_, nullptr, nullptr);
        if (connection < 0)
            continue;
        serve_one(connection);
        close(connection);
    }
}

void PageServer::serve_one(int connection) const
{
    const timeval limit{.tv_sec = patience, .tv_usec = 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    const std::string request = read_request(connection);
    if (!request.empty())
        send_all(connection, respond(request));
}

std::string PageServer::respond(const std::string& request) const
{
    const bool posts = request.starts_with("POST /") && request.substr(0, request.find("\r\n")).find("/steer/") == 5;
    const std::size_t begin = posts ? 5 : 4, end = request.find(' ', begin);
    if ((!posts && !request.starts_with("GET /")) || end == std::string::npos)
        return refusal("405 Method Not Allowed", "only GET is served");
    if (!is_own_host(request))
        return refusal("403 Forbidden", "only requests to 127.0.0.1 are served");
    if (posts && header_field(request, "X-Token") != token_)
        return refusal("403 Forbidden", "only who has the token may steer");
    try {
        const std::string path = request.substr(begin, end - begin);
        const std::optional<PageAnswer> answer = (posts ? act_ : answer_)(path.substr(0, path.find('?')));
        return answer ? response("200 OK", *answer) : refusal("404 Not Found", "nothing is here");
    } catch (const FileError& error) {
        return refusal("503 Service Unavailable", error.what());
    } catch (const InputError& error) {
        return refusal("503 Service Unavailable", error.what());
    }
}

bool PageServer::is_own_host(const std::string& request) const
{
    const std::string host = header_field(request, "Host"), port = ":" + std::to_string(port_);
    return host == "127.0.0.1" + port || host == "localhost" + port;
}

} // namespace stickslip
