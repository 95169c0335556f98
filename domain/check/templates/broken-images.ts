import { inBrowser } from './template.ts';

export const brokenImages = inBrowser({
  id: 'brokenimages',
  name: 'Broken images',
  description: 'Every image of the page can be loaded, those too that wait until a visitor scrolls to them.',
  tags: ['browser', 'page', 'images', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check; '' is that URL itself.
const PAGE = '';
// How many images there are at least: a page without its content has none that is broken.
const AT_LEAST = 1;

test('all images are there', async ({ page }) => {
  await test.step('open the page', () => page.goto(PAGE));

  const images = await test.step('load all images', () => page.evaluate(loadImages));
  console.log(images.length + ' images');

  await test.step('there are images', async () => {
    expect(images.length, 'images on the page').toBeGreaterThanOrEqual(AT_LEAST);
  });

  await test.step('none of them is broken', async () => {
    const broken = images.filter((image) => !image.whole).map((image) => image.url);
    expect(broken, 'images that could not be loaded').toEqual([]);
  });
});

/** Runs in the page. */
async function loadImages() {
  const images = [...document.images].filter((image) => image.currentSrc || image.src);
  return Promise.all(
    images.map(async (image) => {
      image.loading = 'eager';
      // Fails for an image that is broken, or no image.
      const whole = await image.decode().then(
        () => true,
        () => false,
      );
      return { url: image.currentSrc || image.src, whole };
    }),
  );
}
`,
});
