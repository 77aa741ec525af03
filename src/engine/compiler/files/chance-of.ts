/** Returns the source of nondeterminism that `work` uses: the clock, chance or a stateful pattern. Returns `null` if it uses none. */
export function chanceOf(work: () => unknown): string | null {
  const { Date: clock } = globalThis;
  const { random } = Math;
  const { test } = RegExp.prototype;
  let asked: string | null = null;
  const now = () => {
    asked = 'Date';
    return clock.now();
  };
  const Watched = class extends clock {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number])); // the arguments of Date
    }
    static override now = now;
  };
  globalThis.Date = Watched as DateConstructor; // Date() without `new` throws, so such a rule fails as well
  Math.random = () => {
    asked = 'Math.random';
    return random();
  };
  RegExp.prototype.test = function (text) {
    if (this.global || this.sticky) asked = 'RegExp';
    return test.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.test = test;
    globalThis.Date = clock;
    Math.random = random;
  }
  return asked;
}
