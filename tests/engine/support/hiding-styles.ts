const { insertRule } = CSSStyleSheet.prototype;

// Inserts only the styles of Fluent that hide elements. For each query by role, happy-dom matches all styles with many elements, which takes a third
// of the CPU time of some tests.
CSSStyleSheet.prototype.insertRule = function (rule) {
  return /display:none|visibility:hidden/.test(rule) ? insertRule.call(this, rule, this.cssRules.length) : 0;
};
