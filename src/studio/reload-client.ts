import { fileChangeEvent, changeCountEvent, changeCountMetaName, type FileChangeDetail } from './dev-data.ts';

import.meta.hot?.on(fileChangeEvent, (detail: FileChangeDetail) => {
  if (dispatchEvent(new CustomEvent(fileChangeEvent, { cancelable: true, detail }))) location.reload();
});
import.meta.hot?.send(
  changeCountEvent,
  document.querySelector<HTMLMetaElement>(`meta[name="${changeCountMetaName}"]`)?.content,
);
