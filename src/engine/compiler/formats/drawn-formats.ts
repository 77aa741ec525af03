/** Widgets of plugins that draw a format of JSON Schema or their own, where they are there. */
const widgets: Readonly<Record<string, string>> = { file: 'file', 'date-time': 'date-time', time: 'date-time' };

/** The widget of a plugin that draws a format; undefined where a widget of the engine does, or none. */
export function widgetOfFormat(format: string): string | undefined {
  return Object.hasOwn(widgets, format) ? widgets[format] : undefined;
}
