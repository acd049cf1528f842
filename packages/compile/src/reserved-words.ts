/**
 * Keywords of C23, C++23 and Python 3.13, and what the Python modules that compile writes call their own. Fortran
 * reserves none (2018, section 6.2.2).
 */
const WORDS = `
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept
  const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double
  dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new
  noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict return
  short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
  typeof typeof_unqual typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
  False None True as assert async await def del elif except finally from global import in is lambda nonlocal pass raise
  with yield
  base64 ctypes np numpy os sys threading Bound Datatype Pages
`;
const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));
const RESERVED = setOf(WORDS);

/** What functions of those modules use of Python's own: an object of such a name would come before it. */
const PYTHON_BUILTINS = setOf(`
  Exception IndexError RuntimeError ValueError
  all bytearray bytes enumerate getattr hasattr isinstance len list max memoryview min next range reversed setattr
  staticmethod sum tuple type zip
`);

/**
 * In C, names that begin so are the implementation's (C23, section 7.1.3), and in modules of Python what is private.
 */
const PRIVATE = /^_[A-Za-z_]/;

/** Whether some language that declarations are written in would take a name for something else. */
export const isReserved = (name: string): boolean => RESERVED.has(name) || PRIVATE.test(name);

/** Whether a module of Python would take a name from its own functions. */
export const isUsedByModules = (name: string): boolean => PYTHON_BUILTINS.has(name);
