/** The part of React's fiber that the count reads. */
interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

const performedWork = 1;
/** Function, class, forwardRef, memo and simple memo components; neither providers nor elements of the page. */
const componentTags = new Set([0, 1, 11, 14, 15]);

let count = 0;

// React reports each commit to its developer tools. A component was drawn in it when its fiber did work, and is new or
// differs from the one of the commit before; untouched branches keep their child by identity.
Reflect.set(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__', {
  supportsFiber: true,
  inject: () => 1,
  onScheduleFiberRoot: () => undefined,
  onCommitFiberUnmount: () => undefined,
  onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => visit(root.current),
});

/** How many components are drawn while `work` runs. Import this module before React. */
export function countComponents(work: () => void): number {
  count = 0;
  work();
  return count;
}

function visit(fiber: Fiber): void {
  if (componentTags.has(fiber.tag) && (fiber.flags & performedWork) !== 0) count += 1;
  if (fiber.alternate !== null && fiber.child === fiber.alternate.child) return;
  for (let child = fiber.child; child !== null; child = child.sibling) visit(child);
}
