import { randomUUID } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';

/** Makes a file for this system user alone, whole at once, so that nobody ever reads half of it; false where there is one already, which stays. */
export async function makeFile(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}
