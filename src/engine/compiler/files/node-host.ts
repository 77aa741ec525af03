import type { ScreenModule } from '../../core/screen.ts';
import type { OtherTexts } from '../definitions.ts';
import type { CompilerHost } from './host.ts';
import { readPlugins } from './plugins.ts';
import { projectFiles } from './project-files.ts';

/** The compiler in Node.js: a project on the disk, some of its files with other texts. */
export function nodeHost(root: string, texts?: OtherTexts): CompilerHost {
  return {
    files: projectFiles(root, texts),
    plugins: (read, problems) => readPlugins(root, read, problems),
    run: runModule,
  };
}

/** Runs the text of a screen's module. */
export async function runModule(source: string): Promise<ScreenModule> {
  const address = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
  return (await import(/* @vite-ignore */ address)) as ScreenModule; // written by compile-screen.ts
}
