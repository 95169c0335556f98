import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Icon } from '../../../../parts/icon.tsx';
import { SERVICE_URL } from '../../../../urls.ts';
import { words } from '../../../../shell/language.ts';
import { artifactAddress, kindOf } from '../artifact.ts';
import { textOf, type Fields } from '../values.ts';
import { Part } from './shared.tsx';

/** A file created by a run. */
export interface RunFile {
  name: string;
  contentType: string;
  link: string;
}

/** Reads a list of files, without its invalid entries. */
export const filesOf = (rows: readonly Fields[], contentType = ''): RunFile[] =>
  rows.flatMap((row) => {
    const link = textOf(row['url']);
    if (link === null) return [];
    return [{ name: textOf(row['name']) ?? '', contentType: textOf(row['contentType']) ?? contentType, link }];
  });

/** The stored files of a run, such as pictures and videos. */
export const Files = ({ title, files }: { title: string; files: readonly RunFile[] }): JSX.Element | null =>
  files.length === 0 ? null : (
    <Part title={title}>
      <div class="files">
        {files.map((file) => (
          <File key={file.link} file={file} />
        ))}
      </div>
    </Part>
  );

const File = ({ file: { name, contentType, link } }: { file: RunFile }): JSX.Element => {
  const isGone = useSignal(false);
  const address = artifactAddress(link, SERVICE_URL);
  const kind = kindOf(contentType);
  const lost = (): void => {
    isGone.value = true;
  };
  if (address === null || isGone.value) {
    return (
      <p class="fine">
        <bdi>{name}</bdi>: {words.value.result.fileGone}
      </p>
    );
  }
  return (
    <figure>
      {kind === 'picture' && <img src={address} alt={name} loading="lazy" onError={lost} />}
      {kind === 'video' && <video src={address} controls preload="metadata" aria-label={name} onError={lost} />}
      <figcaption>
        <a href={address} target="_blank" rel="noopener noreferrer">
          <Icon name={kind === 'other' ? 'download' : 'external'} /> <bdi>{name}</bdi>
        </a>
      </figcaption>
    </figure>
  );
};
