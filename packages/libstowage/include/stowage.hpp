/* libstowage in C++20: what C gives, freed by itself, over spans, with errors as exceptions. Everything is inline. */
#ifndef STOWAGE_HPP
#define STOWAGE_HPP

#include "stowage_types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>
#if __has_include(<mdspan>)
#include <mdspan>
#endif

namespace stowage {

/* The exception that a status other than STOWAGE_OK becomes. */
class error : public std::runtime_error {
public:
  error(enum stowage_status status, const std::string &detail)
      : std::runtime_error(detail.empty() ? std::string(stowage_text(status)) : detail), status_(status) {}
  enum stowage_status status() const noexcept { return status_; }

private:
  enum stowage_status status_;
};

/* Throws an error unless the status is STOWAGE_OK. */
inline void require(enum stowage_status status) {
  if (status != STOWAGE_OK) throw error(status, "");
}

/* A committed type. It may be moved, and used by any number of threads. */
class type {
public:
  /* Takes a handle, which it frees. */
  explicit type(stowage_type *handle) noexcept : handle_(handle) {}
  /* The handle, for the calls in C; it stays this object's. */
  stowage_type *get() const noexcept { return handle_.get(); }
  /* Packed bytes of one element. */
  std::int64_t size() const noexcept { return stowage_type_size(get()); }
  /* Bounds of one element, in bytes. */
  stowage_bounds bounds() const noexcept { return stowage_type_bounds(get()); }

  /* Packs `count` elements into `target`, or unpacks them out of `source`. The scattered side's address is where the
   * type's address 0 lies. Both throw an error, and move nothing, where the packed side is too short. */
  void pack(const void *source, std::int64_t count, std::span<std::byte> target) const {
    require(stowage_pack(source, count, get(), target.data(), static_cast<std::int64_t>(target.size())));
  }
  void unpack(std::span<const std::byte> source, void *target, std::int64_t count) const {
    require(stowage_unpack(source.data(), static_cast<std::int64_t>(source.size()), get(), target, count));
  }
  /* The packed bytes of `count` elements. */
  std::vector<std::byte> packed(const void *source, std::int64_t count = 1) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * size()));
    pack(source, count, bytes);
    return bytes;
  }
  /* How the type is moved, for a person. */
  std::string explain() const {
    std::string text(stowage_explain(get(), nullptr, 0), '\0');
    stowage_explain(get(), text.data(), text.size() + 1);
    return text;
  }

private:
  struct free_type {
    void operator()(stowage_type *handle) const noexcept { stowage_type_free(handle); }
  };
  std::unique_ptr<stowage_type, free_type> handle_;
};

/* Nodes under construction: the C calls take get(). */
class builder {
public:
  /* Throws std::bad_alloc where there is no memory. */
  explicit builder(enum stowage_rule rule = STOWAGE_STANDARD) : handle_(stowage_builder_new(rule)) {
    if (handle_ == nullptr) throw std::bad_alloc();
  }
  stowage_builder *get() const noexcept { return handle_.get(); }
  /* Makes a type ready, as stowage_commit does. Throws an error with the builder's own line where a node failed. */
  type commit(stowage_node node, stowage_context *context = nullptr) const {
    stowage_type *made = nullptr;
    const enum stowage_status status = stowage_commit(context, get(), node, &made);
    if (status != STOWAGE_OK) throw error(status, stowage_builder_error(get()));
    return type(made);
  }

  /* The predefined type of an arithmetic type. */
  template <typename T> stowage_node basic() const {
    static_assert(std::is_arithmetic_v<T>, "an arithmetic type");
    if constexpr (std::is_same_v<T, float>) return stowage_named(get(), "MPI_FLOAT");
    else if constexpr (std::is_same_v<T, double>) return stowage_named(get(), "MPI_DOUBLE");
    else if constexpr (std::is_same_v<T, long double>) return stowage_named(get(), "MPI_LONG_DOUBLE");
    else if constexpr (std::is_same_v<T, bool>) return stowage_named(get(), "MPI_CXX_BOOL");
    else if constexpr (sizeof(T) == 1) return stowage_named(get(), std::is_signed_v<T> ? "MPI_INT8_T" : "MPI_UINT8_T");
    else if constexpr (sizeof(T) == 2)
      return stowage_named(get(), std::is_signed_v<T> ? "MPI_INT16_T" : "MPI_UINT16_T");
    else if constexpr (sizeof(T) == 4)
      return stowage_named(get(), std::is_signed_v<T> ? "MPI_INT32_T" : "MPI_UINT32_T");
    else return stowage_named(get(), std::is_signed_v<T> ? "MPI_INT64_T" : "MPI_UINT64_T");
  }

  /* The named members of a structure, in the order given; its extent is the structure's. Members are of arithmetic
   * types, or arrays of those: builder.members(&cell::density, &cell::velocity). */
  template <typename S, typename... M> stowage_node members(M S::*...member) const {
    const std::array<std::int64_t, sizeof...(M)> lengths{elements<M>()...}, places{offset_of(member)...};
    const std::array<stowage_node, sizeof...(M)> children{basic<std::remove_all_extents_t<M>>()...};
    const stowage_node node =
        stowage_struct(get(), static_cast<std::int64_t>(sizeof...(M)), lengths.data(), places.data(), children.data());
    return stowage_resized(get(), 0, static_cast<std::int64_t>(sizeof(S)), node);
  }

#if defined(__cpp_lib_mdspan)
  /* The elements of a strided view, the last index fastest; its address 0 is view.data_handle(). */
  template <typename T, typename Extents, typename Layout, typename Accessor>
  stowage_node view(const std::mdspan<T, Extents, Layout, Accessor> &of) const {
    stowage_node node = basic<std::remove_cv_t<T>>();
    for (std::size_t i = of.rank(); i-- > 0;)
      node = stowage_hvector(get(), static_cast<std::int64_t>(of.extent(i)), 1,
                             static_cast<std::int64_t>(of.stride(i)) * static_cast<std::int64_t>(sizeof(T)), node);
    return node;
  }
#endif

private:
  template <typename M> static constexpr std::int64_t elements() {
    return static_cast<std::int64_t>(sizeof(M) / sizeof(std::remove_all_extents_t<M>));
  }
  template <typename S, typename M> static std::int64_t offset_of(M S::*member) {
    alignas(S) static const std::byte place[sizeof(S)] = {};
    const auto *object = reinterpret_cast<const S *>(place);
    return reinterpret_cast<const std::byte *>(std::addressof(object->*member)) - place;
  }
  struct free_builder {
    void operator()(stowage_builder *handle) const noexcept { stowage_builder_free(handle); }
  };
  std::unique_ptr<stowage_builder, free_builder> handle_;
};

} // namespace stowage
#endif
