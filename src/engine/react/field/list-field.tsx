import DefaultArrayField from '@rjsf/core/lib/components/fields/ArrayField.js';
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldProps,
  Registry,
  RJSFSchema,
  UiSchema,
} from '@rjsf/utils';
import { observer } from 'mobx-react-lite';
import { cloneElement, createContext, useContext, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ComponentType, ReactElement } from 'react';
import {
  hasSingleValueItems,
  getListItemValidator,
  joinIndexedFieldName,
  type ListTextKey,
} from '../../core/list-fields.ts';
import { formatFieldFault, preventLineBreaks } from '../../core/messages.ts';
import { evaluateUiOptions, findFieldUiText } from '../../core/screen-ui-queries.ts';
import type { ListItemForm } from '../../runtime/form/form-model.ts';
import type { ListModel } from '../../runtime/form/list-model.ts';
import { useEngine } from '../engine-context.ts';
import { renderFieldError, renderFieldHelp } from './field-template.tsx';
import { FormContext, createFieldId, toLocalFieldName, type FormContextValue } from './form-context.ts';
import type { Theme } from '../theme.ts';
import { buildRjsfSchema, buildRjsfUiSchema } from './rjsf-schema.ts';

const PlainArrayField = DefaultArrayField as ComponentType<FieldProps>; // the cast fixes the type parameters of rjsf's generic component

interface OpenList {
  readonly parts: FormContextValue;
  readonly name: string;
  readonly list: ListModel;
  readonly items: readonly ListItemForm[];
}

const ListContext = createContext<OpenList | null>(null);

/** Renders a list with rjsf's array field. Re-renders when an item is added, removed or moved, but not on keystrokes. */
export const ListField = observer(function ListField(props: FieldProps) {
  const parts = useContext(FormContext);
  const name = props.fieldPathId.path.join('.');
  // cast: the form only declares `ListFieldHandle`, because the list's code is loaded lazily
  const list = parts?.form.lists.get(toLocalFieldName(parts, name)) as ListModel | undefined;
  if (!parts || !list?.field.visible) return null;
  return <ListArrayField {...props} open={{ parts, name, list, items: list.items }} />;
});

function ListArrayField({ open, ...props }: FieldProps & { readonly open: OpenList }) {
  const { parts, list, items } = open;
  const { schema, uiSchema } = useMemo(() => buildListSchemas(parts, list, props.schema), [parts, list, props.schema]);
  const formData = useMemo(() => items.map(() => ({})), [items]); // rjsf only needs the number of items, because the form model has their values
  const ArrayField = parts.theme.fields?.['ArrayField'] ?? PlainArrayField;
  return (
    <ListContext.Provider value={open}>
      <ArrayField {...props} schema={schema} uiSchema={uiSchema} formData={formData} onChange={nothing} />
    </ListContext.Provider>
  );
}

const nothing = () => undefined;

function buildListSchemas({ form, theme }: FormContextValue, { field }: ListModel, schema: RJSFSchema) {
  const { screen } = getListItemValidator(form.validator, field.spec);
  const { $id: _, ...whole } = buildRjsfSchema(screen);
  const ui = buildRjsfUiSchema(screen, form.context, theme);
  const isValue = hasSingleValueItems(field.spec);
  const uiSchema: UiSchema = {
    'ui:ArrayFieldTemplate': ListItems,
    'ui:ArrayFieldItemTemplate': ItemContent,
    items: (isValue ? ui[''] : ui) as UiSchema,
  };
  return { schema: { ...schema, items: (isValue ? whole.properties?.[''] : whole) as RJSFSchema }, uiSchema };
}

function ItemContent(props: ArrayFieldItemTemplateProps) {
  const templates = useContext(ListContext)?.parts.theme.templates;
  // cast: rjsf's type also allows other templates
  const Template = templates?.ArrayFieldItemTemplate as ComponentType<ArrayFieldItemTemplateProps> | undefined;
  return Template ? <Template {...props} hasToolbar={false} /> : props.children;
}

type FocusTarget =
  { readonly key?: number; readonly part: 'first' | 'heading' | 'up' | 'down' } | { readonly part: 'end' };

function ListItems({ items: elements, registry }: ArrayFieldTemplateProps) {
  const open = useContext(ListContext);
  return open && <List {...open} elements={elements} registry={registry} />;
}

interface ListProps extends OpenList {
  readonly elements: readonly ReactElement[];
  readonly registry: Registry;
}

const List = observer(function List({ parts, name, list, items, elements, registry }: ListProps) {
  const { Button, ListFrame } = parts.theme;
  const engine = useEngine();
  const root = useRef<HTMLDivElement & HTMLFieldSetElement>(null);
  const target = useRef<FocusTarget | null>(null);
  const [announcement, setSaid] = useState({ text: '', times: 0 });
  const ids = useId();
  const { screen } = parts.form.validator;
  const { name: own, spec, error, required } = list.field;
  const { addable = true, removable = true, orderable = true } = evaluateUiOptions(screen.ui, own, parts.form.context);
  const getText = (keyword: ListTextKey, values: Readonly<Record<string, unknown>> = {}) =>
    formatFieldFault(screen, own, { keyword, values });
  const help = findFieldUiText(screen.ui, own, 'ui:help');
  const title = own === '' ? parts.itemTitle : preventLineBreaks(findFieldUiText(screen.ui, own, 'ui:title') ?? own);

  useEffect(() => {
    if (target.current && root.current) focusOn(root.current, target.current);
    target.current = null;
  }, [items]);

  const after = (next: FocusTarget, text: string) => {
    target.current = next;
    setSaid(({ times }) => ({ text, times: times + 1 }));
  };
  const add = () => {
    list.addItem();
    const last = list.items.length - 1;
    after({ key: list.items[last]?.key, part: 'first' }, getText('list.added', { item: list.formatItemTitle(last) }));
  };
  const remove = (index: number) => {
    const text = getText('list.removed', { item: list.formatItemTitle(index) });
    list.removeItem(index);
    const next = list.items[index];
    after(next ? { key: next.key, part: 'heading' } : { part: 'end' }, text);
  };
  const restore = () => {
    const index = list.restoreItem();
    after(
      { key: list.items[index]?.key, part: 'heading' },
      getText('list.restored', { item: list.formatItemTitle(index) }),
    );
  };
  const move = (from: number, to: number) => {
    const item = list.formatItemTitle(from);
    list.moveItem(from, to);
    const text = getText('list.moved', { item, place: to + 1, count: list.items.length });
    after({ key: list.items[to]?.key, part: to < from ? 'up' : 'down' }, text);
  };

  const button = (part: 'up' | 'down' | 'remove', index: number, onPress: () => void) => (
    <ListButton {...{ Button, part, onPress }} text={getText(`list.${part}`, { item: list.formatItemTitle(index) })} />
  );
  const describedBy = [help === undefined ? '' : `${ids}help`, error === null ? '' : `${ids}error`].join(' ').trim();
  const isOptional = !required && spec.requiredWith === undefined;
  const attributes = {
    id: createFieldId(name),
    tabIndex: -1,
    'aria-describedby': describedBy || undefined,
    'data-field': name,
    'data-invalid': error !== null || undefined,
  };
  const content = (
    <>
      {renderFieldHelp(`${ids}help`, help)}
      {items.length > 0 && (
        <ol className="form-items">
          {items.map((item, index) => (
            <li key={item.key} data-item={item.key}>
              <Item {...{ parts, name, list, item, index }} element={elements[index]} />
              <div className="form-item-buttons">
                {orderable !== false && index > 0 && button('up', index, () => move(index, index - 1))}
                {orderable !== false && index < items.length - 1 && button('down', index, () => move(index, index + 1))}
                {removable !== false && button('remove', index, () => remove(index))}
              </div>
            </li>
          ))}
        </ol>
      )}
      {renderFieldError(`${ids}error`, list.field)}
      <div className="form-item-buttons" data-end>
        {addable !== false && list.canAddItem && (
          <ListButton Button={Button} part="add" text={getText('list.add', { title: list.itemTitle })} onPress={add} />
        )}
        {list.canRestoreItem && (
          <ListButton Button={Button} part="undo" text={getText('list.undo')} onPress={restore} />
        )}
      </div>
      <p role="status" className="visually-hidden">
        <span key={announcement.times}>{announcement.text}</span>
        {/* a changed key makes screen readers repeat the same text */}
      </p>
    </>
  );
  if (ListFrame) {
    const fullTitle = isOptional ? `${title ?? ''} ${engine.t('optional')}` : (title ?? '');
    return (
      <div role="group" aria-label={title} {...attributes}>
        <ListFrame id={`${attributes.id}_frame`} title={fullTitle} required={required} registry={registry}>
          <div ref={root}>{content}</div>
        </ListFrame>
      </div>
    );
  }
  return (
    <fieldset ref={root} className="form-section form-list" {...attributes}>
      <legend tabIndex={-1}>
        {title}
        {isOptional && <span className="form-optional"> {engine.t('optional')}</span>}
      </legend>
      {content}
    </fieldset>
  );
});

interface ItemProps extends Pick<OpenList, 'parts' | 'name' | 'list'> {
  readonly item: ListItemForm;
  readonly index: number;
  readonly element: ReactElement | undefined;
}

function Item({ parts, name, list, item, index, element }: ItemProps) {
  const itemTitle = list.formatItemTitle(index);
  const inner = useMemo(
    () => ({ ...parts, form: item.form, within: joinIndexedFieldName(name, index, ''), itemTitle }),
    [parts, name, item, index, itemTitle],
  );
  const content = (
    <FormContext.Provider value={inner}>
      {element && cloneElement(element, { key: 'content' }) /* a stable key: rjsf's key changes often */}
    </FormContext.Provider>
  );
  if (item.form.lists.has('')) return content; // an item that is itself a list needs no heading here, because the list has one
  return (
    <fieldset className="form-item">
      <legend tabIndex={-1}>{itemTitle}</legend>
      {content}
    </fieldset>
  );
}

interface ListButtonProps {
  readonly Button: Theme['Button'];
  readonly part: string;
  readonly text: string;
  readonly onPress: () => void;
}

function ListButton({ Button, part, text, onPress }: ListButtonProps) {
  const attributes = { type: 'button', className: 'button', 'data-part': part, onClick: onPress } as const;
  return Button ? (
    <Button text={text} primary={false} attributes={attributes} />
  ) : (
    <button {...attributes}>{text}</button>
  );
}

function focusOn(list: HTMLElement, target: FocusTarget): void {
  const item = 'key' in target ? list.querySelector(`:scope > ol > [data-item="${target.key}"]`) : list;
  const found =
    item?.querySelector<HTMLElement>(selectors[target.part]) ??
    item?.querySelector<HTMLElement>(':scope > div > [data-part]');
  found?.focus();
}

const selectors = {
  first: 'input:not([type="hidden"]), select, textarea, [data-part="add"]',
  heading: 'legend',
  up: ':scope > div > [data-part="up"]',
  down: ':scope > div > [data-part="down"]',
  end: ':scope > [data-end] button',
} as const;
