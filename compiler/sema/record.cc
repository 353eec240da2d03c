// record.cc: members of structs and unions, and their layout according to the System V ABI, or that of ARM.
//
// The layout is needed where it enters a constant of the program (for example a block size of sizeof(struct s));
// emitted C uses sizeof wherever it can.
#include <algorithm>

#include "sema/attributes.h"
#include "sema/checker.h"

namespace bn::sema {

using diag::Id;

struct LayoutState {
    uint64_t bits = 0;     // end of the last member
    uint64_t largest = 0;  // union: bits of the largest member
    bool packed = false;
    uint64_t pack = 0;  // #pragma pack: upper limit for the alignment of members; 0: none
    Machine machine = {};
};

namespace {

uint64_t round_up(uint64_t n, uint64_t to)
{
    return to == 0 ? n : (n + to - 1) / to * to;
}

// `align` is the alignment of its type as a member, `wanted` the one requested by attributes.
void place_bit_field(Field& field, Record& record, LayoutState& state, uint64_t unit, uint64_t align, uint64_t wanted)
{
    uint64_t& bits = state.bits;
    bool may_cross = state.packed || state.pack != 0;
    uint64_t natural = align_of(field.type, state.machine.largest_alignment);
    bits = round_up(bits, wanted * 8);
    if (field.width == 0)
        bits = round_up(bits, natural * 8);
    else if (!may_cross && bits % (align * 8) + field.width > unit * 8)
        bits = round_up(bits, align * 8);
    field.offset = bits / 8;
    bits += field.width;
    if (!field.name.empty() || state.machine.unnamed_bit_fields_align) {
        uint64_t least = field.width == 0 ? natural : state.packed ? 1 : align;
        record.align = std::max({record.align, least, wanted});
    }
}

}  // namespace

void Checker::field(ast::FieldDecl& decl, Record& record, LayoutState& state)
{
    Specified base = specifiers(*decl.specifiers);
    auto add = [&](ast::FieldDecl::Field* written, QualType type, uint64_t wanted_align) {
        Field field;
        field.type = type;
        if (written != nullptr && written->declarator != nullptr && written->declarator->name != 0)
            field.name = text(written->declarator->name);
        std::optional<Size> size = size_of(type);
        auto limited = [&](uint64_t align) { return state.pack != 0 ? std::min(align, state.pack) : align; };
        uint64_t wanted = limited(wanted_align);
        uint64_t align = state.packed ? 1 : limited(align_of(type, state.machine.largest_alignment));
        bool is_open_array = is_array(type) && !kind_of(type)->has_count && !kind_of(type)->is_vla;
        if (written != nullptr && written->width != nullptr) {
            expr(written->width);
            std::optional<__int128> width = constant(written->width);
            field.is_bit_field = true;
            field.width = width ? static_cast<uint32_t>(*width) : 0;
            if (!width || !size)
                record.size_known = false;
            else
                place_bit_field(field, record, state, size->bytes, align, wanted);
        } else {
            align = std::max(align, wanted);
            if (!size && !is_open_array)
                record.size_known = false;
            state.bits = round_up(state.bits, align * 8);
            field.offset = state.bits / 8;
            state.bits += size ? size->bytes * 8 : 0;
            record.align = std::max(record.align, align);
        }
        record.fields.push_back(field);
        if (record.is_union) {
            state.largest = std::max(state.largest, state.bits);
            state.bits = 0;
        }
    };
    bool is_packed_here = find_attribute(decl.specifiers->attributes, tokens_, "packed") != nullptr;
    for (ast::FieldDecl::Field& written : decl.fields) {
        if (written.declarator == nullptr && written.width == nullptr) {
            for (const ast::QualifierToken& qualifier : decl.specifiers->qualifiers)
                if (qualifier.tok == lex::Tok::KwShared)
                    diags_.report(Id::UnnamedMember, qualifier.token, {text(qualifier.token)});
            bool is_untagged = decl.specifiers->record != nullptr && decl.specifiers->record->tag == 0;
            if (is_record(base.type) && (is_untagged || options_.ms_extensions))  // otherwise only a type, not a member
                add(nullptr, base.type, requested_alignment(decl.specifiers->attributes));
            continue;
        }
        QualType type = declared_type(written.declarator, base.type);
        uint64_t align =
            std::max(requested_alignment(decl.specifiers->attributes), requested_alignment(written.attributes));
        bool was_packed = state.packed;
        state.packed |= find_attribute(written.attributes, tokens_, "packed") != nullptr;
        if (written.declarator != nullptr) {
            align = std::max(align, requested_alignment(written.declarator->attributes));
            state.packed |= find_attribute(written.declarator->attributes, tokens_, "packed") != nullptr;
            check_threads_in_type(written.declarator, *written.declarator, type);
        }
        state.packed |= is_packed_here;
        if (is_shared(type)) {
            const ast::Node& where =
                written.declarator != nullptr ? static_cast<const ast::Node&>(*written.declarator) : decl;
            diags_.report(Id::SharedMember, range(where), {quote(where), quote(type)});
            type = unknown();
        }
        written.type = type;
        add(&written, type, align);
        state.packed = was_packed;
    }
}

// The #pragma pack value in effect at a token
uint64_t Checker::pack_at(lex::TokenIndex token)
{
    for (; next_pack_ < tokens_.packs.size() && tokens_.packs[next_pack_].before <= token; ++next_pack_) {
        const lex::Pack& pragma = tokens_.packs[next_pack_];
        if (pragma.pushes)
            packs_.push_back({pragma.label, pack_});
        auto is_meant = [&](const auto& pushed) { return pragma.label.empty() || pushed.first == pragma.label; };
        auto pushed = std::find_if(packs_.rbegin(), packs_.rend(), is_meant);
        if (pragma.pops && pushed != packs_.rend()) {
            pack_ = pushed->second;
            packs_.erase(std::prev(pushed.base()), packs_.end());
        }
        pack_ = pragma.bytes.value_or(pack_);
    }
    return pack_;
}

void Checker::fields(ast::RecordSpec& spec, Record& record)
{
    LayoutState state;
    state.machine = options_.machine;
    state.pack = pack_at(spec.open);
    record.size_known = find_attribute(spec.attributes, tokens_, "ms_struct") == nullptr;
    state.packed = find_attribute(spec.attributes, tokens_, "packed") != nullptr;
    for (ast::Node* node : spec.members) {
        if (node->kind == ast::Kind::FieldDecl)
            field(*static_cast<ast::FieldDecl*>(node), record, state);
        else if (node->kind == ast::Kind::StaticAssert &&
                 static_cast<ast::StaticAssertDecl*>(node)->condition != nullptr)
            expr(static_cast<ast::StaticAssertDecl*>(node)->condition);
    }
    record.may_alias = find_attribute(spec.attributes, tokens_, "may_alias") != nullptr;
    record.align = std::max(record.align, requested_alignment(spec.attributes));
    uint64_t bits = record.is_union ? state.largest : state.bits;
    record.size = round_up((bits + 7) / 8, record.align);
    record.is_complete = true;
}

Record* Checker::record(ast::RecordSpec& spec)
{
    Type* type = tag_type(spec.tag, TypeKind::Record, spec.has_body, spec.is_union);
    Record* record = type->record;
    spec.record = record;
    if (spec.has_body && !record->is_complete) {
        record->spec = &spec;
        record->in_function = function_ != nullptr;
        fields(spec, *record);
        analysis_.records.push_back(record);
    }
    return record;
}

// s.m or p->m, possibly in parentheses, where m is a bit-field
bool Checker::names_bit_field(const ast::Expr* e)
{
    e = without_parens(e);
    if (e->kind != ast::Kind::Member)
        return false;
    QualType object = decay(e->a->type);
    if (e->op == ast::Op::Arrow)
        object = is_pointer(object) ? pointee(object) : unknown();
    const Field* field = is_record(object) ? find_field(*kind_of(object)->record, text(e->name)) : nullptr;
    return field != nullptr && field->is_bit_field;
}

}  // namespace bn::sema
