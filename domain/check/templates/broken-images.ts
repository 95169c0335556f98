import { inBrowser } from './template.ts';

export const brokenImages = inBrowser({
  id: 'brokenimages',
  name: 'Broken images',
  description: 'Every image on the page loads, including images that load only when a visitor scrolls to them.',
  tags: ['browser', 'page', 'images', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check. '' is the URL itself.
const PAGE = '';
// The minimum number of images. Without it, a page that lost its content would pass.
const AT_LEAST = 1;

test('all images load', async ({ page }) => {
  await test.step('open the page', () => page.goto(PAGE));

  const images = await test.step('load all images', () => page.evaluate(loadImages));
  console.log(images.length + ' images');

  await test.step('there are images', async () => {
    expect(images.length, 'images on the page').toBeGreaterThanOrEqual(AT_LEAST);
  });

  await test.step('none of them is broken', async () => {
    const broken = images.filter((image) => !image.isLoaded).map((image) => image.url);
    expect(broken, 'images that could not be loaded').toEqual([]);
  });
});

/** Runs in the page. */
async function loadImages() {
  const images = [...document.images].filter((image) => image.currentSrc || image.src);
  return Promise.all(
    images.map(async (image) => {
      image.loading = 'eager';
      // Fails if the image is broken or is not an image.
      const isLoaded = await image.decode().then(
        () => true,
        () => false,
      );
      return { url: image.currentSrc || image.src, isLoaded };
    }),
  );
}
`,
});
