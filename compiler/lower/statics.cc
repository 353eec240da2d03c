// statics.cc: objects with static storage that are shared, or whose values C cannot compute before main.
//
// UPC form                                  C form
// shared [B] T a[n*THREADS];                bn_shared_t a __attribute__((common)); and its record in section bn_statics
// static shared T x; in a function          the record in its place, the handle before the function, renamed
// shared T x = e;                           static const T bn_image_1 = e;  the record points to it
// shared T *p = &x;                         bn_pts_t p = { 0, 0, 0 };  with a record, a table of places (&p) and, at
//                                           the end of the unit, bn_compute_1(places) { *places[0] = bn_start(x); ... }
// shared T *q[] = { &a[0], &a[1], ... };    the same, but the values are in a table of bn_element, for a loop
// shared T **p = (shared T *[]){ &x };      static bn_pts_t bn_literal_1[1] = { { 0, 0, 0 } }; and the rest of an
//                                           object with such values; bn_pts_t *p = bn_literal_1;
// shared T a[2][THREADS] = {{1}, {2}};      an image for each row
//
// Images are emitted where their object is declared, so that initialisers can use all names known there.  Values that
// code must compute are the exception: they refer to shared objects, whose handles are at file scope, and to constants.
#include <algorithm>
#include <utility>

#include "lower/affine.h"
#include "lower/lowerer.h"
#include "lower/restored.h"
#include "sema/attributes.h"

namespace bn::lower {

using ast::Kind;
using namespace sema;

namespace {

// The type without qualifiers on any level of an array
QualType plain_type(QualType type, ast::Arena& arena)
{
    type = canonical(type);
    type.quals = {};
    if (type.type->kind != TypeKind::Array)
        return type;
    Type* copy = arena.make<Type>(*type.type);
    copy->base = plain_type(type.type->base, arena);
    return {copy, {}};
}

// The type with or without const; of an array, the elements are what is const
QualType with_const(QualType type, bool is_const, ast::Arena& arena)
{
    if (element_of(type).quals.is_const == is_const)
        return type;
    type = canonical(type);
    type.quals.is_const = is_const;
    if (type.type->kind != TypeKind::Array)
        return type;
    Type* copy = arena.make<Type>(*type.type);
    copy->base = with_const(type.type->base, is_const, arena);
    return {copy, {}};
}

// An array has as many elements as its initialiser gives, without the null at the end of a string.
QualType image_type(const Image& image, ast::Arena& arena)
{
    QualType type = plain_type(image.type, arena);
    if (type.type->kind != TypeKind::Array)
        return type;
    Type* open = arena.make<Type>(*type.type);
    open->has_count = open->by_threads = open->is_vla = false;
    open->size = nullptr;
    const Expr* init = image.init;
    if (init->kind == Kind::InitList && init->args.size() == 1)
        init = init->args[0];
    if (init->kind == Kind::String && !is_array(type.type->base) && !is_pointer(type.type->base)) {
        uint64_t count = kind_of(init->type)->count;
        open->has_count = true;
        open->count = count > 1 ? count - 1 : 1;
    }
    return {open, {}};
}

}  // namespace

// Writes the parts of the C form of one object.
class StaticWriter {
public:
    StaticWriter(Lowerer& lowerer, const StaticObject& object, int number)
        : lowerer_(lowerer), object_(object), suffix_(std::to_string(number))
    {
    }

    struct ComputedPlace {
        std::string image;  // the object
        std::span<const Step> path;
        bool is_bit_field;  // has no address
        Rope pointer;       // the type "pointer to the place"
        Node* value;
        Rope element;  // for a table of elements to which pointers point; empty for other values
    };
    std::vector<ComputedPlace> computed_places(const std::vector<std::string>& images);
    Rope computed_values(const std::vector<std::string>& images);
    Rope values_set_in_place(const std::vector<ComputedPlace>& found);
    Rope image(const Image& image, const std::string& name);
    Rope images(const std::vector<std::string>& names);
    Rope record();

private:
    Rope element_pointed_to(const Expr& value);
    static size_t count_elements(std::span<const ComputedPlace> next);
    Rope store_elements(std::span<const ComputedPlace> pointers, std::optional<size_t> number_in_table,
                        const std::string& elements);
    Rope store(const ComputedPlace& to, std::optional<size_t> number_in_table);
    Node* assignment(const Rope& target, Node* value);
    Rope rope(std::string_view text = "") { return lowerer_.rope(text); }

    Lowerer& lowerer_;
    const StaticObject& object_;
    std::string suffix_;  // of the names of all parts
};

// static const T name = initialiser;
Rope StaticWriter::image(const Image& image, const std::string& name)
{
    lowerer_.lower_initialiser(image.init);
    QualType type = with_const(image_type(image, lowerer_.arena_), image.computed.empty(), lowerer_.arena_);
    return rope("static ") << lowerer_.c_declaration(type, rope(name)) << " = " << image.init << "; ";
}

// The row of a table of elements (bn_element in access.h) for the value &x or &a[number]; empty for other values
Rope StaticWriter::element_pointed_to(const Expr& value)
{
    Rope none = rope();
    if (value.kind == Kind::ImplicitCast) {
        bool is_same = is_pts(value.type) && lowerer_.is_pts_value(*value.a) &&
                       lowerer_.keeps_phase(lowerer_.value_type(*value.a), value.type);
        return is_same ? element_pointed_to(*value.a) : none;
    }
    const Expr& e = *ast::without_parens(&value);
    if (lowerer_.options_.checks || e.kind != Kind::Unary || e.op != ast::Op::AddressOf)
        return none;
    const Expr* object = ast::without_parens(e.a);
    int64_t index = 0;
    if (object->kind == Kind::Index) {
        LoopView view = {nullptr, nullptr, nullptr, &lowerer_.tokens_, lowerer_.options_.static_threads};
        index = literal_value(object->b, view).value_or(-1);
        object = ast::without_parens(object->a);
    }
    bool is_object = object->kind == Kind::Ident && object->symbol != nullptr && is_shared(object->symbol->type);
    if (!is_object || index < 0 || is_array(e.a->type) || object->symbol->kind != Symbol::Kind::Variable)
        return none;
    QualType type = object->symbol->type;
    return rope("{ &") << object->symbol->emitted << ", " << static_cast<uint64_t>(index) << ", " << block_size(type)
                       << ", " << lowerer_.element_size(element_of(type)) << " }";
}

// The places that code sets, and their values.  Must be called before the initialiser is lowered, in which computed
// values become null pointers or 0.
std::vector<StaticWriter::ComputedPlace> StaticWriter::computed_places(const std::vector<std::string>& images)
{
    std::vector<ComputedPlace> found;
    auto leave_out = [&](const ComputedValue& computed) {
        computed.value->visited = true;
        lowerer_.set(computed.value, rope(is_pts(computed.type) ? "{ 0, 0, 0 }" : "0"));
    };
    const Expr* last = nullptr;
    Node* value = nullptr;
    Rope element = rope();
    for (size_t i = 0; i < object_.images.size(); ++i) {
        for (const ComputedValue& computed : object_.images[i].computed) {
            if (computed.value != last) {  // the rest of a range of which elements have other values
                element = element_pointed_to(*computed.value);
                lowerer_.lower(computed.value);
                value = lowerer_.self(computed.value);
                leave_out(computed);
                last = computed.value;
            }
            QualType type = kind(computed.type) == TypeKind::Enum ? kind_of(computed.type)->base : computed.type;
            Rope pointer = is_pts(type) ? rope("bn_packed_pts_t *") : lowerer_.value_declaration(type, "*");
            found.push_back({images[i], computed.path, computed.is_bit_field, pointer, value, element});
        }
        for (const ComputedValue& computed : object_.images[i].overridden)
            leave_out(computed);
    }
    return found;
}

namespace {

bool is_range(const Step& step)
{
    return step.first < step.last;
}

// The place as a C expression: for a place in ranges of elements, with the variables of the loops over them if
// `in_loops`, otherwise with the first element of each range, but the second one of the `second`-th range.
std::string part_of_object(const std::string& image, std::span<const Step> path, bool in_loops, size_t second = 0)
{
    std::string text = image;
    size_t range = 0;
    for (const Step& step : path) {
        if (!step.member.empty()) {
            text.append(".").append(step.member);
            continue;
        }
        range += is_range(step) ? 1 : 0;
        bool is_second = is_range(step) && range == second;
        text.append("[").append(std::to_string(step.first + (is_second ? 1 : 0)));
        if (in_loops && is_range(step))
            text.append(" + bn_at_").append(std::to_string(range));
        text.append("]");
    }
    return text;
}

}  // namespace

// Sets one place, or those in ranges of elements by loops.  In the table of places that are in ranges, the first place
// is followed by the second one of each range, which tells how far they are apart.
Rope StaticWriter::store(const ComputedPlace& to, std::optional<size_t> number_in_table)
{
    std::string variables;
    Rope loops = rope();
    std::string in_table = number_in_table ? "places[" + std::to_string(*number_in_table) + "]" : std::string();
    std::string distances;
    size_t range = 0;
    for (const Step& step : to.path) {
        if (!is_range(step))
            continue;
        std::string number = std::to_string(++range);
        variables.append(range == 1 ? "{ bn_u64 bn_at_" : ", bn_at_").append(number);
        loops << "for (bn_at_" << number << " = 0; bn_at_" << number << " <= " << step.last - step.first << "; ++bn_at_"
              << number << ") ";
        if (number_in_table)
            distances.append(" + bn_at_")
                .append(number)
                .append(" * (bn_u64)((char *)places[")
                .append(std::to_string(*number_in_table + range))
                .append("] - (char *)")
                .append(in_table)
                .append(")");
    }
    Rope target = rope();
    if (to.is_bit_field)
        target << part_of_object(to.image, to.path, true);
    else if (!number_in_table)
        target << "*(" << to.pointer << ")(void *)&" << part_of_object(to.image, to.path, true);
    else if (range == 0)
        target << "*(" << to.pointer << ")" << in_table;
    else
        target << "*(" << to.pointer << ")(void *)((char *)" << in_table << distances << ")";
    Node* assigned = assignment(target, to.value);
    return range == 0 ? rope() << assigned << ";" : rope(variables + "; ") << loops << assigned << "; }";
}

// "target = value", with messages about it pointing at the value: this is far from the declaration
Node* StaticWriter::assignment(const Rope& target, Node* value)
{
    Node* whole = lowerer_.self(value);
    Rope out = rope() << target << " = " << value;
    auto* lowered = lowerer_.arena_.make<ast::Lowered>();
    lowered->pieces = out.pieces();
    whole->lowered = lowered;
    whole->touched = true;
    return whole;
}

namespace {

// From this number on the back end takes longer for statements than for a table and a loop.
constexpr size_t kLeastElements = 16;

}  // namespace

// How many of the next places are to point to elements that can be in a table
size_t StaticWriter::count_elements(std::span<const ComputedPlace> next)
{
    auto is_other = [](const ComputedPlace& each) {
        return each.element.empty() || std::ranges::any_of(each.path, is_range);
    };
    return static_cast<size_t>(std::ranges::find_if(next, is_other) - next.begin());
}

// Sets pointers to the elements in a table.  Without a table of places, each place is an argument of its own.
Rope StaticWriter::store_elements(std::span<const ComputedPlace> pointers, std::optional<size_t> number_in_table,
                                  const std::string& elements)
{
    Rope out = rope();
    if (number_in_table)
        return out << "{ bn_u64 bn_at; for (bn_at = 0; bn_at < " << pointers.size()
                   << "; ++bn_at) bn_set_element(places[" << *number_in_table << " + bn_at], &" << elements
                   << "[bn_at]); }";
    for (size_t i = 0; i < pointers.size(); ++i)
        out << "bn_set_element((void *)&" << part_of_object(pointers[i].image, pointers[i].path, true) << ", &"
            << elements << "[" << i << "]); ";
    return out;
}

// The table of places, and the function that sets them
Rope StaticWriter::computed_values(const std::vector<std::string>& images)
{
    std::vector<ComputedPlace> found;
    {
        Restored outside(lowerer_.outside_, object_.function != nullptr);
        found = computed_places(images);
    }
    if (found.empty())
        return rope();
    bool is_own = object_.symbol->is_own;  // then its places are per thread, too, and cannot be in a table of constants
    Rope places = rope();
    Rope tables = rope();
    Rope body = rope();
    size_t in_table = 0;
    for (std::span<const ComputedPlace> next = found; !next.empty();) {
        size_t count = count_elements(next);
        bool is_table = count >= kLeastElements;
        bool has_name = is_own || (!is_table && next[0].is_bit_field);
        std::optional<size_t> number_in_table = has_name ? std::nullopt : std::optional<size_t>(in_table);
        std::span<const ComputedPlace> done = next.first(is_table ? count : 1);
        if (is_table) {
            std::string elements = "bn_elements_" + suffix_ + "_" + std::to_string(found.size() - next.size());
            tables << "static const struct bn_element " << elements << "[] = { ";
            for (const ComputedPlace& each : done)
                tables << each.element << ", ";
            tables << "};\n";
            body << "    " << store_elements(done, number_in_table, elements) << "\n";
        } else {
            body << "    " << store(done[0], number_in_table) << "\n";
        }
        for (const ComputedPlace& each : done) {
            size_t ranges = static_cast<size_t>(std::ranges::count_if(each.path, is_range));
            for (size_t second = 0; !has_name && second <= ranges; ++second, ++in_table)
                places << (in_table == 0 ? "" : ", ") << "(void *)&"
                       << part_of_object(each.image, each.path, false, second);
        }
        next = next.subspan(done.size());
    }
    if (in_table == 0)
        body << "    (void)places;\n";
    Rope prototype = rope("static __attribute__((no_instrument_function)) void bn_compute_")
                     << suffix_ << "(void *const *places); ";
    lowerer_.computations_.push_back(tables << "static void bn_compute_" << suffix_ << "(void *const *places)\n{\n"
                                            << body << "}\n");
    if (is_own)
        return prototype;
    if (in_table == 0)
        places << "0";
    Rope table = rope("static void *const bn_places_") << suffix_ << "[] = { " << places << " }; ";
    if (object_.function == nullptr)
        return prototype << table;
    lowerer_.hoisted_.push_back(prototype);
    return table;
}

// Sets an object of which each thread has a copy, in a function: its values may use names that are local there, so they
// are set when the thread first gets there.  This is a declaration, too, because others may follow in C90.
Rope StaticWriter::values_set_in_place(const std::vector<ComputedPlace>& found)
{
    std::string is_set = "bn_is_set_" + suffix_;
    Rope out = rope("static __thread char ") << is_set << "; __extension__ __attribute__((__unused__)) char bn_set_"
                                             << suffix_ << " = ({ if (!" << is_set << ") { " << is_set << " = 1;";
    for (const ComputedPlace& each : found)
        out << " " << store(each, std::nullopt);
    return out << " } " << is_set << "; });";
}

// The table of images: { data, bytes, first element, capacity in elements, whether these two are multiples of THREADS }
Rope StaticWriter::images(const std::vector<std::string>& names)
{
    Rope out = rope("static const struct bn_image bn_images_") << suffix_ << "[] = { ";
    for (size_t i = 0; i < object_.images.size(); ++i) {
        Size room = element_count(object_.images[i].type).value_or(Size{1, false});
        for (uint64_t row : object_.images[i].rows)
            out << "{ &" << names[i] << ", sizeof " << names[i] << ", " << row * room.bytes << ", " << room.bytes
                << ", " << (room.by_threads ? "1" : "0") << " }, ";
    }
    return out << "}; ";
}

// The record that tells the start-up code what to do
Rope StaticWriter::record()
{
    const Symbol& symbol = *object_.symbol;
    bool has_computed = false;
    uint64_t images = 0;
    for (const Image& image : object_.images) {
        has_computed |= !image.computed.empty();
        images += object_.is_shared ? image.rows.size() : 0;
    }
    Rope out = rope("static struct bn_static bn_static_") << suffix_ << " = { ";
    if (object_.is_shared) {
        QualType type = element_of(symbol.type);
        if (kind(type) == TypeKind::Enum)  // its tag may be local to a function
            type = kind_of(type)->base;
        Rope element = lowerer_.c_value_type(type);
        Rope align = lowerer_.alignment(type, symbol.align);
        uint64_t count = local_elements(symbol.type, lowerer_.options_.static_threads).value_or(1);
        out << "&" << symbol.emitted << ", \"" << symbol.name << "\", " << std::to_string(count) << "ul * sizeof("
            << element << "), " << align << ", sizeof(" << element << "), " << block_size(symbol.type);
    } else {
        out << "0, \"" << symbol.name << "\", 0, 1, 1, 0";
    }
    out << ", " << (images > 0 ? "bn_images_" + suffix_ : "0") << ", " << images << ", "
        << (!has_computed   ? std::string("0, 0")
            : symbol.is_own ? "0, bn_compute_" + suffix_
                            : "bn_places_" + suffix_ + ", bn_compute_" + suffix_);
    return out << " }; static struct bn_static *const bn_entry_" << suffix_
               << " __attribute__((section(\"bn_statics\"), " << lowerer_.kept() << ")) = &bn_static_" << suffix_
               << ";";
}

// Who sees the handle of a shared object.  As each declaration is emitted, the C compiler merges what several of them
// say.
Rope Lowerer::visibility(const ast::Specifiers& spec, const ast::Declarator& declarator)
{
    Rope out = rope();
    for (std::span<ast::Attribute> attributes : {spec.attributes, declarator.attributes})
        if (const ast::Attribute* found = find_attribute(attributes, tokens_, "visibility")) {
            out << " __attribute__((visibility(";
            for (lex::TokenIndex token = found->args_first; token <= found->args_last; ++token)
                out << text(token) << " ";
            out << ")))";
        }
    return out;
}

Rope Lowerer::shared_object(ast::Declaration& decl, ast::InitDeclarator& init)
{
    const Symbol& symbol = *init.symbol;
    Rope seen_by = visibility(*decl.specifiers, *init.declarator);
    auto found = statics_.find(&init);
    bool is_elsewhere = found == statics_.end() || is_incomplete(symbol.type);
    if (is_elsewhere || found->second->function == nullptr)
        note_declared(init, !is_elsewhere);
    if (is_elsewhere)
        return rope("extern bn_shared_t ") << symbol.emitted << seen_by << ";";
    const StaticObject& object = *found->second;
    bool is_local = object.function != nullptr;
    bool is_tentative = !decl.specifiers->is_static && !is_local && init.init == nullptr;
    int number = ++objects_;
    Rope out = rope(decl.specifiers->is_static || is_local ? "static " : "");
    out << "bn_shared_t " << symbol.emitted << (is_tentative ? " __attribute__((common))" : "") << seen_by << "; ";
    if (is_local) {
        hoisted_.push_back(out);
        out = rope();
    }
    std::vector<std::string> names;
    for (size_t i = 0; i < object.images.size(); ++i)
        names.push_back("bn_image_" + std::to_string(number) + (i > 0 ? "_" + std::to_string(i) : ""));
    StaticWriter writer(*this, object, number);
    Rope computed = writer.computed_values(names);
    for (size_t i = 0; i < object.images.size(); ++i)
        out << writer.image(object.images[i], names[i]);
    out << computed;
    if (!names.empty())
        out << writer.images(names);
    return out << writer.record();
}

// A private object is its own image.  It is written before main, so it cannot be in read-only memory; if other
// declarations of it may say const, C sees two objects that share a symbol:
//     shared T *const p = &x;      bn_pts_t bn_object_1 __asm__("p") = { 0, 0, 0 }; extern const bn_pts_t p;
Rope Lowerer::private_object(ast::Declaration& decl, ast::InitDeclarator& init, const StaticObject& object)
{
    const Symbol& symbol = *init.symbol;
    int number = ++objects_;
    bool is_alias = element_of(symbol.type).quals.is_const && symbol.at_file_scope && !symbol.is_static;
    std::string name = is_alias ? "bn_object_" + std::to_string(number) : std::string(symbol.emitted);
    bool is_set_in_place = symbol.is_own && object.function != nullptr;
    StaticWriter writer(*this, object, number);
    std::vector<StaticWriter::ComputedPlace> in_place;
    Rope computed = rope();
    if (is_set_in_place)
        in_place = writer.computed_places({name});
    else
        computed = writer.computed_values({name});
    lower_initialiser(init.init);
    std::string_view own = own_storage(decl, symbol);
    Rope out = specifier_prefix(*decl.specifiers, own, !is_alias)
               << unused_mark(symbol) << c_declaration(with_const(symbol.type, false, arena_), rope(name));
    out << (is_alias ? " __asm__(\"" + std::string(symbol.emitted) + "\")" : "") << suffix(*init.declarator) << " = "
        << init.init << "; ";
    if (is_alias)
        out << "extern " << own << c_declaration(symbol.type, rope(symbol.emitted)) << "; ";
    if (is_set_in_place)
        return out << writer.values_set_in_place(in_place);
    return out << computed << writer.record();
}

// A compound literal at file scope, declared before the declaration that contains it
void Lowerer::literal_object(Expr& literal, const StaticObject& object)
{
    const Symbol& symbol = *object.symbol;
    int number = ++objects_;
    Rope out = rope();
    definitions_in(*literal.type_name->specifiers, out);
    StaticWriter writer(*this, object, number);
    Rope computed = writer.computed_values({std::string(symbol.emitted)});
    lower_initialiser(literal.a);
    out << "static " << (symbol.is_own ? "__thread " : "")
        << c_declaration(with_const(symbol.type, false, arena_), rope(symbol.emitted)) << " = " << literal.a << "; "
        << computed << writer.record() << " ";
    hoisted_.push_back(out);
    set(&literal, rope(symbol.emitted));
}

}  // namespace bn::lower
