import type { Locator } from '@playwright/test';

/** Maximum number of Tab presses between two controls. */
const maxTabs = 16;

/**
 * Moves the focus to a control with Tab, and types into it. A line feed presses a button. Throws if Tab does not reach
 * the control.
 */
export async function typeByKeyboard(control: Locator, text: string): Promise<void> {
  const { keyboard } = control.page();
  await control.waitFor();
  for (let press = 0; press < maxTabs; press += 1) {
    await keyboard.press('Tab');
    if (await control.evaluate((element) => element === document.activeElement)) return keyboard.type(text);
  }
  throw new Error(`Tab does not lead to ${String(control)}`);
}
