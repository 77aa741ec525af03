import { useEffect, useState } from 'react';
import { languages, type Language } from '../../../contract/portal-config.ts';
import type { Json } from '../../../engine/core/json.ts';
import { studioAddresses } from '../../studio-data.ts';
import type { Studio } from '../use-studio.ts';

/** The files of a screen, or of shared texts, as the last commit has them; null until they were read, and without a commit. */
export function useCommitted(
  { read, reading }: Pick<Studio, 'read' | 'reading'>,
  files: Readonly<Record<Language, string>>,
): Readonly<Record<Language, Json>> | null {
  const [known, setKnown] = useState<{
    readonly of: string;
    readonly contents: Readonly<Record<Language, Json>> | null;
  }>();
  const of = languages.map((language) => files[language]).join(' ');
  useEffect(() => {
    let isOver = false;
    const ask = async (): Promise<void> => {
      const names = of.split(' ');
      const texts = await Promise.all(
        names.map((file) => read<string | null>(`${studioAddresses.committed}?${new URLSearchParams({ file })}`)),
      );
      const contents = languages.map((language, index) => [language, contentOf(texts[index] ?? '')] as const);
      if (!isOver)
        setKnown({
          of,
          contents: texts.includes(null) ? null : (Object.fromEntries(contents) as Record<Language, Json>),
        });
    };
    ask().catch(() => undefined); // what was read stays until the server is back
    return () => {
      isOver = true;
    };
  }, [read, reading, of]);
  return known?.of === of ? known.contents : null;
}

function contentOf(text: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch {
    return {}; // a file that was not there, or was broken
  }
}
