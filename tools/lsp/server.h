// server.h: the conversation with an editor.  Requests are answered from the current texts; messages are sent when
// nobody is typing.
//
// One thread does all the work, another one reads.  A text is analysed again when a request needs it or when it has not
// been edited for a while; the C compiler is run only when nothing else is waiting.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "lsp/answers.h"
#include "lsp/commands.h"
#include "lsp/inbox.h"

namespace bn::lsp {

class Server {
public:
    Server(driver::Installation installation, Inbox& inbox, int output)
        : commands_(std::move(installation)), inbox_(inbox), output_(output)
    {
    }

    // Runs until the editor leaves; returns the exit status.
    int run();

private:
    struct Open {
        Document document;
        std::unique_ptr<Understood> understood;  // null if not needed yet, or dropped in favour of others
        std::optional<Clock::time_point> due;    // when its messages are to be sent
        bool is_told = false;                    // upcc's messages for the current text have been sent
    };
    using Handler = Json (Server::*)(const Question&, const Json& params);
    struct Request {
        const char* method;
        Handler handler;
    };

    void receive(const Json& message);
    void answer(const Json& id, const std::string& method, const Json& params);
    void notice(const std::string& method, const Json& params);
    static const Request* request_of(const std::string& method);

    Json initialize(const Json& params);
    void settle(const Json* settings);
    void opened(const Json& params);
    void changed(const Json& params);
    void saved();
    void closed(const Json& params);
    Open* document_of(const Json& params);

    Understood& understand(Open& open);
    void tell_due();
    void tell(Open& open);
    std::optional<Clock::time_point> next_due() const;

    Json answer_hover(const Question& q, const Json&) { return hover(q); }
    Json answer_definition(const Question& q, const Json&) { return definition(q); }
    Json answer_declaration(const Question& q, const Json&) { return declaration(q); }
    Json answer_references(const Question& q, const Json& params);
    Json answer_highlights(const Question& q, const Json&) { return highlights(q); }
    Json answer_symbols(const Question& q, const Json&) { return document_symbols(q); }
    Json answer_completion(const Question& q, const Json& params);
    Json answer_signature(const Question& q, const Json&) { return signature_help(q); }
    Json answer_tokens(const Question& q, const Json&) { return semantic_tokens(q); }
    Json answer_hints(const Question& q, const Json& params);

    void send(Json message);
    void respond(const Json& id, Json result);
    void refuse(const Json& id, int code, const std::string& text);
    void log(const std::string& text);

    enum class State { New, Running, ShutDown } state_ = State::New;
    Commands commands_;
    Inbox& inbox_;
    int output_;
    std::string root_;  // the folder that is open in the editor
    Settings settings_;
    Encoding encoding_ = Encoding::Utf16;
    std::map<std::string, Open> documents_;  // by URI
    std::list<std::string> recent_;          // URIs of the analysed texts, the most recent one first
    bool can_refresh_hints_ = false;
    int64_t next_request_ = 0;
    std::optional<int> exit_status_;
};

}  // namespace bn::lsp
