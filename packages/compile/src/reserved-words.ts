/** Keywords of C23, C++23 and Python 3.13, and what the Python modules that compile writes call their own. */
const WORDS = `
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept
  const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double
  dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new
  noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict return
  short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
  typeof typeof_unqual typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
  False None True as assert async await def del elif except finally from global import in is lambda nonlocal pass raise
  with yield
  base64 ctypes np numpy os Datatype
`;
const RESERVED: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

/** Whether some language that declarations are written in would take a name for something else. */
export const isReserved = (name: string): boolean => RESERVED.has(name);
