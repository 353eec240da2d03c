// arena.h: memory for the tree of one translation unit; freed as a whole.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bn::ast {

class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    // Makes a T that lives as long as the arena.  Destructors are run for types that need them.
    template <typename T, typename... Args>
    T* make(Args&&... args)
    {
        T* object = new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
        if constexpr (!std::is_trivially_destructible_v<T>)
            destructors_.push_back({object, [](void* p) { static_cast<T*>(p)->~T(); }});
        return object;
    }

    template <typename T>
    std::span<T> copy(const std::vector<T>& items)
    {
        return copy_from(items, 0);
    }

    // items[start] to the end
    template <typename T>
    std::span<T> copy_from(const std::vector<T>& items, size_t start)
    {
        static_assert(std::is_trivially_destructible_v<T>);
        if (items.size() == start)
            return {};
        T* data = static_cast<T*>(allocate((items.size() - start) * sizeof(T), alignof(T)));
        std::uninitialized_copy(items.begin() + static_cast<std::ptrdiff_t>(start), items.end(), data);
        return {data, items.size() - start};
    }

    std::string_view copy(std::string_view text)
    {
        char* data = static_cast<char*>(allocate(text.size() + 1, 1));
        std::memcpy(data, text.data(), text.size());
        data[text.size()] = '\0';
        return {data, text.size()};
    }

    ~Arena()
    {
        for (size_t i = destructors_.size(); i-- > 0;)
            destructors_[i].destroy(destructors_[i].object);
    }

private:
    struct Destructor {
        void* object;
        void (*destroy)(void*);
    };

    void* allocate(size_t size, size_t align)
    {
        size_t start = (used_ + align - 1) & ~(align - 1);
        if (blocks_.empty() || start + size > capacity_) {
            capacity_ = size > kBlockBytes ? size : kBlockBytes;
            blocks_.emplace_back(new std::byte[capacity_]);  // not set to zero, unlike by make_unique
            start = 0;
        }
        used_ = start + size;
        return blocks_.back().get() + start;
    }

    static constexpr size_t kBlockBytes = 256 * 1024;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::vector<Destructor> destructors_;
    size_t used_ = 0;
    size_t capacity_ = 0;
};

}  // namespace bn::ast
