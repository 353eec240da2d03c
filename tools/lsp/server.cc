#include "lsp/server.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "lsp/transport.h"

namespace bn::lsp {

namespace {

// Error codes of the protocol
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kNotInitialized = -32002;
constexpr int kCancelled = -32800;

constexpr size_t kMostUnderstood = 6;  // analysed texts kept; each takes some MiB

Json capabilities(Encoding encoding)
{
    return {{"positionEncoding", encoding == Encoding::Utf8 ? "utf-8" : "utf-16"},
            {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"declarationProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"documentSymbolProvider", true},
            {"completionProvider", {{"triggerCharacters", {".", ">"}}}},
            {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
            {"semanticTokensProvider", {{"legend", semantic_legend()}, {"full", true}}},
            {"inlayHintProvider", true}};
}

}  // namespace

// ---- The loop ----

int Server::run()
{
    while (!exit_status_) {
        std::optional<Letter> letter = inbox_.take(next_due());
        if (!letter) {
            tell_due();
            continue;
        }
        switch (letter->kind) {
        case Letter::Kind::Message: receive(letter->message); break;
        case Letter::Kind::Cancelled: refuse(letter->message["id"], kCancelled, "cancelled"); break;
        case Letter::Kind::Unreadable: refuse(nullptr, kParseError, "the message is not JSON"); break;
        case Letter::Kind::TooLarge: refuse(nullptr, kInvalidRequest, "the message is too long"); break;
        case Letter::Kind::End: exit_status_ = state_ == State::ShutDown ? 0 : 1; break;
        }
    }
    return *exit_status_;
}

void Server::receive(const Json& message)
{
    const Json* id = find(message, {"id"});
    const Json* named = find(message, {"method"});
    bool has_id = id != nullptr && (id->is_number() || id->is_string());
    if (named == nullptr && has_id)
        return;  // a response to one of our requests
    if (named == nullptr || !named->is_string()) {
        refuse(nullptr, kInvalidRequest, "the message has no method");
        return;
    }
    static const Json kNone = Json::object();
    const Json* params = find(message, {"params"});
    std::string method = named->get<std::string>();
    if (id == nullptr)
        notice(method, params != nullptr ? *params : kNone);
    else if (!has_id)
        refuse(nullptr, kInvalidRequest, "the id is neither a number nor a string");
    else
        answer(*id, method, params != nullptr ? *params : kNone);
}

const Server::Request* Server::request_of(const std::string& method)
{
    static constexpr Request kRequests[] = {
        {"textDocument/hover", &Server::answer_hover},
        {"textDocument/definition", &Server::answer_definition},
        {"textDocument/declaration", &Server::answer_declaration},
        {"textDocument/references", &Server::answer_references},
        {"textDocument/documentHighlight", &Server::answer_highlights},
        {"textDocument/documentSymbol", &Server::answer_symbols},
        {"textDocument/completion", &Server::answer_completion},
        {"textDocument/signatureHelp", &Server::answer_signature},
        {"textDocument/semanticTokens/full", &Server::answer_tokens},
        {"textDocument/inlayHint", &Server::answer_hints},
    };
    for (const Request& request : kRequests)
        if (method == request.method)
            return &request;
    return nullptr;
}

void Server::answer(const Json& id, const std::string& method, const Json& params)
{
    if (method == "initialize") {
        if (state_ == State::New)
            respond(id, initialize(params));
        else
            refuse(id, kInvalidRequest, "initialize comes once");
    } else if (state_ == State::New) {
        refuse(id, kNotInitialized, "initialize comes first");
    } else if (method == "shutdown") {
        state_ = State::ShutDown;
        respond(id, nullptr);
    } else if (state_ == State::ShutDown) {
        refuse(id, kInvalidRequest, "the server is shut down");
    } else if (const Request* request = request_of(method)) {
        Open* open = document_of(params);
        const Json* place = find(params, {"position"});
        std::optional<Position> position = position_of(place);
        if (open == nullptr || (place != nullptr && !position)) {
            refuse(id, kInvalidParams,
                   open == nullptr ? "this document is not open" : "'position' is not a valid position");
            return;
        }
        Understood& understood = understand(*open);
        understood.unit().enter();
        Question question{understood, open->document, encoding_, position.value_or(Position{})};
        respond(id, (this->*request->handler)(question, params));
    } else {
        refuse(id, kMethodNotFound, "there is no " + method);
    }
}

void Server::notice(const std::string& method, const Json& params)
{
    if (method == "exit")
        exit_status_ = state_ == State::ShutDown ? 0 : 1;
    else if (state_ != State::Running)
        return;
    else if (method == "textDocument/didOpen")
        opened(params);
    else if (method == "textDocument/didChange")
        changed(params);
    else if (method == "textDocument/didSave")
        saved();
    else if (method == "textDocument/didClose")
        closed(params);
    else if (method == "workspace/didChangeConfiguration")
        settle(find(params, {"settings"}));
}

// ---- Settings ----

Json Server::initialize(const Json& params)
{
    state_ = State::Running;
    if (const Json* encodings = find(params, {"capabilities", "general", "positionEncodings"});
        encodings != nullptr && encodings->is_array()) {
        bool has_utf8 = std::ranges::any_of(*encodings, [](const Json& name) { return name == "utf-8"; });
        encoding_ = has_utf8 ? Encoding::Utf8 : Encoding::Utf16;
    }
    can_refresh_hints_ = truth_at(params, {"capabilities", "workspace", "inlayHint", "refreshSupport"}).value_or(false);
    root_ = path_of(text_at(params, {"rootUri"}));
    if (root_.empty())
        root_ = std::filesystem::current_path().string();
    settle(find(params, {"initializationOptions"}));
    return {{"capabilities", capabilities(encoding_)},
            {"serverInfo", {{"name", "upc-language-server"}, {"version", driver::version()}}}};
}

void Server::settle(const Json* settings)
{
    std::vector<std::string> troubles;
    settings_ = settings_of(settings, root_, troubles);
    for (const std::string& trouble : troubles)
        log(trouble);
    for (auto& [uri, open] : documents_) {
        open.understood.reset();
        open.is_told = false;
        open.due = Clock::now();
    }
    recent_.clear();
}

// ---- Texts ----

Server::Open* Server::document_of(const Json& params)
{
    auto found = documents_.find(text_at(params, {"textDocument", "uri"}));
    return found != documents_.end() ? &found->second : nullptr;
}

void Server::opened(const Json& params)
{
    std::string uri = text_at(params, {"textDocument", "uri"});
    const Json* text = find(params, {"textDocument", "text"});
    if (text == nullptr || !text->is_string())
        return;
    Document document(uri, text->get<std::string>(), number_at(params, {"textDocument", "version"}).value_or(0));
    if (document.path().empty())
        return;
    closed(params);
    documents_.emplace(uri, Open{std::move(document), nullptr, Clock::now(), false});
}

void Server::changed(const Json& params)
{
    Open* open = document_of(params);
    const Json* changes = find(params, {"contentChanges"});
    if (open == nullptr || changes == nullptr || !changes->is_array())
        return;
    for (const Json& change : *changes)
        if (!open->document.change(change, encoding_))
            log("a change to " + open->document.path() +
                " could not be applied; if messages do not match the text, close and reopen the file");
    open->document.set_version(number_at(params, {"textDocument", "version"}).value_or(open->document.version() + 1));
    open->is_told = false;
    open->due = Clock::now() + std::chrono::milliseconds(settings_.debounce_ms);
}

// Other texts may include the saved file, and compile_commands.json may have changed for all.
void Server::saved()
{
    for (auto& [uri, open] : documents_) {
        open.understood.reset();
        open.is_told = false;
        open.due = Clock::now() + std::chrono::milliseconds(settings_.debounce_ms);
    }
}

void Server::closed(const Json& params)
{
    std::string uri = text_at(params, {"textDocument", "uri"});
    if (documents_.erase(uri) == 0)
        return;
    recent_.remove(uri);
    send({{"method", "textDocument/publishDiagnostics"}, {"params", {{"uri", uri}, {"diagnostics", Json::array()}}}});
}

Understood& Server::understand(Open& open)
{
    const std::string& uri = open.document.uri();
    recent_.remove(uri);
    recent_.push_front(uri);
    for (; recent_.size() > kMostUnderstood; recent_.pop_back())
        documents_.at(recent_.back()).understood.reset();
    if (open.understood == nullptr || open.understood->version() != open.document.version()) {
        open.understood.reset();  // avoids having two in memory at the same time
        CompileCommand command = commands_.of(open.document.path(), settings_);
        if (!command.trouble.empty())
            log(command.trouble);
        bool wants_remarks = settings_.remarks != Settings::Remarks::Off;
        open.understood = std::make_unique<Understood>(std::move(command), open.document, wants_remarks);
    }
    return *open.understood;
}

// ---- Messages ----

std::optional<Clock::time_point> Server::next_due() const
{
    std::optional<Clock::time_point> next;
    for (const auto& [uri, open] : documents_)
        if (open.due && (!next || *open.due < *next))
            next = open.due;
    return next;
}

void Server::tell_due()
{
    for (auto& [uri, open] : documents_)
        if (open.due && *open.due <= Clock::now()) {
            tell(open);
            return;  // one at a time: a request may have arrived
        }
}

// First sends upcc's own messages; the C compiler, which takes longer, follows in the next round unless something
// intervenes.
void Server::tell(Open& open)
{
    Understood& understood = understand(open);
    bool asks_compiler = settings_.runs_compiler && understood.unit().may_ask_compiler();
    if (open.is_told && asks_compiler) {
        understood.unit().ask_compiler();
        asks_compiler = false;
    }
    open.due = asks_compiler ? std::optional(Clock::now()) : std::nullopt;
    bool has_hints = !open.is_told && settings_.remarks == Settings::Remarks::Inlay && can_refresh_hints_;
    open.is_told = true;
    Question question{understood, open.document, encoding_};
    Json list = diagnostics(question, settings_.remarks == Settings::Remarks::Hints);
    send({{"method", "textDocument/publishDiagnostics"},
          {"params", {{"uri", open.document.uri()}, {"version", open.document.version()}, {"diagnostics", list}}}});
    if (has_hints)
        send({{"id", next_request_++}, {"method", "workspace/inlayHint/refresh"}});
}

Json Server::answer_references(const Question& q, const Json& params)
{
    return references(q, truth_at(params, {"context", "includeDeclaration"}).value_or(true));
}

Json Server::answer_completion(const Question& q, const Json& params)
{
    constexpr int64_t kTriggerCharacter = 2;  // value defined by the protocol
    return completion(q, number_at(params, {"context", "triggerKind"}) == kTriggerCharacter);
}

Json Server::answer_hints(const Question& q, const Json& params)
{
    if (settings_.remarks != Settings::Remarks::Inlay)
        return Json::array();
    auto number = [&](const char* end, int64_t other) {
        return static_cast<uint32_t>(
            std::clamp<int64_t>(number_at(params, {"range", end, "line"}).value_or(other), 0, UINT32_MAX));
    };
    return inlay_hints(q, number("start", 0), number("end", UINT32_MAX));
}

// ---- Sending ----

void Server::send(Json message)
{
    message["jsonrpc"] = "2.0";
    if (!write_message(output_, json_text(message)))
        exit_status_ = 1;
}

void Server::respond(const Json& id, Json result)
{
    send({{"id", id}, {"result", std::move(result)}});
}

void Server::refuse(const Json& id, int code, const std::string& text)
{
    send({{"id", id}, {"error", {{"code", code}, {"message", text}}}});
}

void Server::log(const std::string& text)
{
    send({{"method", "window/logMessage"}, {"params", {{"type", 2}, {"message", text}}}});
}

}  // namespace bn::lsp
