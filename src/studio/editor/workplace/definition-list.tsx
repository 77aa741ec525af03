import { Field, SearchBox, Tree, TreeItem, TreeItemLayout } from '@fluentui/react-components';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { type StudioSelection, useLocalStorageState, selectSearchEntry } from '../studio-selection.ts';
import {
  listScreensByFlow,
  createDefinitionSearch,
  type DefinitionSearchEntry,
  type DefinitionSearchResult,
} from '../definition-search.ts';
import { buildFlowFilePath } from '../definition-set.ts';
import { groupByArea } from '../../dev-view-header.tsx';
import { resolveCommonTextsPath } from '../titles.ts';

export interface DefinitionListProps {
  readonly set: StudioDefinitions;
  readonly place: StudioSelection;
  readonly go: (part: Partial<StudioSelection>) => void;
}

type ListEntry = DefinitionSearchEntry | DefinitionSearchResult;

interface TreeNode {
  readonly key: string;
  readonly head: DefinitionSearchEntry | string;
  readonly entries: readonly ListEntry[];
}

/** Memoized, because edits in other panes do not change its props. */
export const DefinitionList = memo(function DefinitionList({ set, place, go }: DefinitionListProps) {
  const [wanted, setWanted] = useState('');
  const [folded, setFolded] = useLocalStorageState(
    'plegados',
    [],
    (kept): kept is readonly string[] => Array.isArray(kept) && kept.every((name) => typeof name === 'string'),
  );
  const search = useMemo(() => createDefinitionSearch(set), [set]);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [place.screen, place.flow, place.common, place.mail, place.help]);
  const found = search(wanted);
  const filterByKind = (kind: DefinitionSearchEntry['kind']) => found.filter((entry) => entry.kind === kind);
  const others = (['mail', 'help', 'common'] as const)
    .map((kind) => ({ key: `#${kind}`, head: t(`entries_${kind}`), entries: filterByKind(kind) }))
    .filter(({ key, entries }) => key === '#common' || entries.length > 0);
  const journeys = listScreensByFlow(set).map(({ flow, area, screens }) => ({
    key: flow?.name ?? '',
    head: flow ?? t('noJourney'),
    area,
    entries: screens,
  }));
  const kinds = [
    { key: '#screens', head: t('screens'), entries: filterByKind('screen') },
    { key: '#flows', head: t('flows'), entries: filterByKind('flow') },
  ];
  const areas: readonly { readonly area: string | null; readonly items: readonly TreeNode[] }[] =
    wanted.trim() === ''
      ? [...groupByArea(journeys), { area: null, items: others }]
      : [{ area: null, items: [...kinds, ...others] }];
  const branches = areas.flatMap(({ items }) => items);
  const createItemProps = (entry: ListEntry) => ({
    'aria-current': place[entry.kind] === entry.name || undefined,
    onClick: () => go(selectSearchEntry(entry, place)),
  });
  const drawBranch = ({ key, head, entries }: TreeNode) => (
    <TreeItem
      key={key}
      value={key}
      itemType={entries.length > 0 ? 'branch' : 'leaf'}
      {...(typeof head === 'object' && createItemProps(head))}
    >
      {typeof head === 'object' ? <EntryLayout set={set} entry={head} /> : <TreeItemLayout>{head}</TreeItemLayout>}
      {entries.length > 0 && (
        <Tree collapseMotion={null}>
          {entries.map((entry) => (
            <TreeItem key={entry.name} value={`${key} ${entry.name}`} itemType="leaf" {...createItemProps(entry)}>
              <EntryLayout set={set} entry={entry} />
            </TreeItem>
          ))}
        </Tree>
      )}
    </TreeItem>
  );
  return (
    <nav className="studio-list" aria-label={t('flows')} ref={list}>
      <Field label={t('search')}>
        <SearchBox
          placeholder={t('searchHint')}
          value={wanted}
          dismiss={{ 'aria-label': t('clearSearch') }}
          onChange={(_, { value }) => setWanted(value)}
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown') list.current?.querySelector<HTMLElement>('[role=treeitem]')?.focus();
          }}
        />
      </Field>
      <p role="status">{t('found', { screens: filterByKind('screen').length, flows: filterByKind('flow').length })}</p>
      <Tree
        aria-label={t('flows')}
        size="small"
        openItems={[...areas.map(({ area }) => areaKey(area)), ...branches.map(({ key }) => key)].filter(
          (key) => !folded.includes(key),
        )}
        onOpenChange={(_, { type, value, open }) => {
          const branch = branches.find(({ key }) => key === value);
          if (type === 'Click' && typeof branch?.head === 'object') return; // ignores the click, which opens the screen or flow instead of toggling the branch
          setFolded(open ? folded.filter((key) => key !== value) : [...folded, String(value)]);
        }}
      >
        {areas.map(({ area, items }) =>
          area === null ? (
            items.map(drawBranch)
          ) : (
            <TreeItem key={area} value={areaKey(area)} itemType="branch">
              <TreeItemLayout>{area}</TreeItemLayout>
              <Tree collapseMotion={null}>{items.map(drawBranch)}</Tree>
            </TreeItem>
          ),
        )}
      </Tree>
    </nav>
  );
});

function areaKey(area: string | null): string {
  return `#area ${area}`;
}

function EntryLayout({ set, entry }: { set: StudioDefinitions; entry: ListEntry }) {
  const { name, title } = entry;
  const line = 'line' in entry ? entry.line : null;
  const problems = countProblems(set, entry);
  return (
    <TreeItemLayout
      aside={problems === 0 ? null : <strong className="gallery-mark">{t('problemCount', { count: problems })}</strong>}
    >
      {title !== name && `${title} `}
      <code>{name}</code>
      {line && (
        <span className="studio-aside">
          {' '}
          {line.place}: {line.text}
        </span>
      )}
    </TreeItemLayout>
  );
}

function countProblems(set: StudioDefinitions, { kind, name }: DefinitionSearchEntry): number {
  if (kind === 'mail' || kind === 'help') return 0; // the problems are those of screens and flows only
  const starts = {
    screen: `schemas/${name}/`,
    flow: buildFlowFilePath(name),
    common: `${resolveCommonTextsPath(set, name)}.`,
  };
  return set.problems.filter(({ file }) => file.startsWith(starts[kind])).length;
}
