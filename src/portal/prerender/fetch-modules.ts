export function fetchModules(page: HTMLElement): void {
  for (const href of page.dataset['modules']?.split(' ') ?? [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
