#include "torch/operator_list.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace berth {
namespace {

using Names = std::string_view;

// Values, structure and branches. No prim::Loop: whether one ends cannot be told.
constexpr Names kStructure[] = {
    "prim::Constant",
    "prim::GetAttr",
    "prim::If",
    "prim::ListConstruct",
    "prim::ListUnpack",
    "prim::NumToTensor",
    "prim::RaiseException",
    "prim::TupleConstruct",
    "prim::TupleIndex",
    "prim::TupleUnpack",
    "prim::Uninitialized",
    "prim::device",
    "prim::dtype",
    "prim::max",
    "prim::min",
    "prim::unchecked_cast",
    "aten::Bool",
    "aten::Float",
    "aten::FloatImplicit",
    "aten::Int",
    "aten::IntImplicit",
    "aten::ScalarImplicit",
    "aten::__getitem__",
    "aten::__is__",
    "aten::__isnot__",
    "aten::__not__",
    "aten::dim",
    "aten::format",
    "aten::item",
    "aten::len",
    "aten::numel",
    "aten::size",
};

constexpr Names kArithmetic[] = {
    "aten::abs",       "aten::add",          "aten::ceil",       "aten::clamp",
    "aten::clamp_max", "aten::clamp_min",    "aten::clip",       "aten::div",
    "aten::divide",    "aten::erf",          "aten::exp",        "aten::expm1",
    "aten::floor",     "aten::floor_divide", "aten::floordiv",   "aten::fmod",
    "aten::frac",      "aten::lerp",         "aten::log",        "aten::log10",
    "aten::log1p",     "aten::log2",         "aten::maximum",    "aten::minimum",
    "aten::mul",       "aten::multiply",     "aten::nan_to_num", "aten::neg",
    "aten::negative",  "aten::pow",          "aten::reciprocal", "aten::remainder",
    "aten::round",     "aten::rsqrt",        "aten::rsub",       "aten::sign",
    "aten::sqrt",      "aten::square",       "aten::sub",        "aten::subtract",
    "aten::trunc",     "aten::addcmul",      "aten::addcdiv",    "aten::sin",
    "aten::cos",
};

constexpr Names kComparison[] = {
    "aten::__and__",     "aten::__or__",      "aten::__xor__",    "aten::all",         "aten::any",
    "aten::bitwise_and", "aten::bitwise_not", "aten::bitwise_or", "aten::eq",          "aten::ge",
    "aten::gt",          "aten::isfinite",    "aten::isinf",      "aten::isnan",       "aten::le",
    "aten::logical_and", "aten::logical_not", "aten::logical_or", "aten::logical_xor", "aten::lt",
    "aten::masked_fill", "aten::ne",          "aten::where",
};

constexpr Names kLayers[] = {
    "aten::addmm",       "aten::addmv",     "aten::baddbmm",     "aten::bilinear",
    "aten::bmm",         "aten::celu",      "aten::dot",         "aten::einsum",
    "aten::elu",         "aten::embedding", "aten::gelu",        "aten::glu",
    "aten::hardsigmoid", "aten::hardswish", "aten::hardtanh",    "aten::layer_norm",
    "aten::leaky_relu",  "aten::linear",    "aten::log_sigmoid", "aten::log_softmax",
    "aten::matmul",      "aten::mish",      "aten::mm",          "aten::mv",
    "aten::outer",       "aten::prelu",     "aten::relu",        "aten::relu6",
    "aten::selu",        "aten::sigmoid",   "aten::silu",        "aten::softmax",
    "aten::softplus",    "aten::softsign",  "aten::tanh",        "aten::threshold",
};

constexpr Names kReductions[] = {
    "aten::amax",
    "aten::amin",
    "aten::argmax",
    "aten::argmin",
    "aten::frobenius_norm",
    "aten::linalg_norm",
    "aten::linalg_vector_norm",
    "aten::logsumexp",
    "aten::max",
    "aten::mean",
    "aten::min",
    "aten::norm",
    "aten::prod",
    "aten::std",
    "aten::sum",
    "aten::var",
};

constexpr Names kShape[] = {
    "aten::alias",      "aten::arange",     "aten::broadcast_to",
    "aten::cat",        "aten::chunk",      "aten::clone",
    "aten::concat",     "aten::contiguous", "aten::detach",
    "aten::expand",     "aten::expand_as",  "aten::flatten",
    "aten::full",       "aten::full_like",  "aten::gather",
    "aten::hstack",     "aten::index",      "aten::index_select",
    "aten::movedim",    "aten::narrow",     "aten::ones",
    "aten::ones_like",  "aten::permute",    "aten::repeat",
    "aten::reshape",    "aten::select",     "aten::slice",
    "aten::split",      "aten::squeeze",    "aten::stack",
    "aten::t",          "aten::tensor",     "aten::tile",
    "aten::to",         "aten::transpose",  "aten::type_as",
    "aten::unbind",     "aten::unflatten",  "aten::unsqueeze",
    "aten::view",       "aten::view_as",    "aten::zeros",
    "aten::zeros_like",
};

template <class List>
bool Has(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != std::end(list);
}

struct Reason {
  std::string_view part;  // of the name
  std::string_view text;
};

constexpr Reason kReasons[] = {
    {"prim::Loop", "a loop may never end: write it with tensor operations"},
    {"prim::Print", "it writes to what the service logs: drop it"},
    {"aten::warn", "it writes to what the service logs: drop it"},
    {"prim::SetAttr", "a score must not depend on what was asked before: keep no state"},
    {"rand", "it draws random numbers, but equal rows must get equal scores: drop it"},
    {"normal", "it draws random numbers, but equal rows must get equal scores: drop it"},
    {"bernoulli", "it draws random numbers, but equal rows must get equal scores: drop it"},
    {"multinomial", "it draws random numbers, but equal rows must get equal scores: drop it"},
    {"dropout", "it draws random numbers, but equal rows must get equal scores: drop it"},
    {"file", "it reads or writes files: make what it reads a buffer"},
    {"save", "it reads or writes files: drop it"},
    {"load", "it reads or writes files: make what it reads a buffer"},
    {"sort", "it compares rows, but a score must depend on its own row only: drop it"},
    {"topk", "it compares rows, but a score must depend on its own row only: drop it"},
    {"unique", "it compares rows, but a score must depend on its own row only: drop it"},
};

}  // namespace

bool IsAllowedOperator(std::string_view name) {
  return Has(kStructure, name) || Has(kArithmetic, name) || Has(kComparison, name) ||
         Has(kLayers, name) || Has(kReductions, name) || Has(kShape, name);
}

std::string WhyNotAllowed(std::string_view name) {
  for (const Reason& reason : kReasons) {
    if (name.find(reason.part) != name.npos) return std::string(reason.text);
  }
  return "it is not among the operators for scorers, which docs/policies.md lists: do without it";
}

}  // namespace berth
