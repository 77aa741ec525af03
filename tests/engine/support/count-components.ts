/** Properties of React's fiber that the count reads. */
interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

const performedWork = 1;
/**
 * Tags of the fibers that are counted: function, class, forwardRef, memo and simple memo components. Providers and DOM
 * elements are not counted.
 */
const componentTags = new Set([0, 1, 11, 14, 15]);

let count = 0;

// React calls this hook of its developer tools at each commit. A component was rendered in the commit if its fiber
// performed work, and is new or differs from its alternate. Unchanged subtrees keep the same child object.
Reflect.set(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__', {
  supportsFiber: true,
  inject: () => 1,
  onScheduleFiberRoot: () => undefined,
  onCommitFiberUnmount: () => undefined,
  onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => visit(root.current),
});

/** Returns the number of components that are rendered while `work` runs. Import this module before React. */
export function countRenderedComponents(work: () => void): number {
  count = 0;
  work();
  return count;
}

function visit(fiber: Fiber): void {
  if (componentTags.has(fiber.tag) && (fiber.flags & performedWork) !== 0) count += 1;
  if (fiber.alternate !== null && fiber.child === fiber.alternate.child) return;
  for (let child = fiber.child; child !== null; child = child.sibling) visit(child);
}
