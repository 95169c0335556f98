/** Records videos of all contexts, including those that a script opens itself. */
const path = require('node:path') as typeof import('node:path');
const { readFile, stat } = require('node:fs/promises') as typeof import('node:fs/promises');

type Attachment = import('./files.cts').Attachment;
type Context = import('playwright-core').BrowserContext;
type Listener = import('./internals.cts').Listener;
type Page = import('playwright-core').Page;

/** The exports of `videos.cjs`. */
export interface VideosModule {
  recordVideos: (folder: string, currentTest: () => number, send: Send) => Videos;
}

export interface Videos {
  listener: Listener;
  /** Returns whether an attachment is a video that Playwright attached. It would duplicate a video sent from here. */
  has: (attachment: Attachment) => boolean;
  /** Waits until the videos of closed contexts have been sent. */
  flush: () => Promise<void>;
  /** Closes the contexts that are still open, and waits until all videos have been sent. */
  close: () => Promise<void>;
}

/** Sends a video. @param test the test that the video shows */
type Send = (test: number, content: Buffer) => void;

const LARGEST = 50 * 1_048_576;

const recordVideos: VideosModule['recordVideos'] = (folder, currentTest, send) => {
  const sending = new Set<Promise<void>>();
  const open = new Set<Context>();

  const sendAll = async (pages: readonly Page[], test: number): Promise<void> => {
    for (const page of pages) {
      const file = await page.video()?.path();
      if (file !== undefined && (await stat(file)).size <= LARGEST) send(test, await readFile(file));
    }
  };

  return {
    listener: {
      runBeforeCreateBrowserContext: async (options) => {
        options['recordVideo'] ??= { dir: path.join(folder, '.artifacts') };
      },
      runAfterCreateBrowserContext: async (context) => {
        const test = currentTest();
        const pages: Page[] = [];
        open.add(context);
        context.on('page', (page) => {
          pages.push(page);
        });
        context.on('close', () => {
          open.delete(context);
          const done = sendAll(pages, test)
            .catch(() => undefined)
            .finally(() => sending.delete(done));
          sending.add(done);
        });
      },
    },
    has: ({ name, contentType, path: file }) => name === 'video' && contentType === 'video/webm' && file !== undefined,
    flush: async () => {
      await Promise.all(sending);
    },
    close: async () => {
      await Promise.all([...open].map((context) => context.close().catch(() => undefined)));
      await Promise.all(sending);
    },
  };
};

module.exports = { recordVideos } satisfies VideosModule;
