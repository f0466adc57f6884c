/**
 * A merchant's own page as it was written and rendered, without the script of ours that watches
 * over it.
 */
export const asWritten = (html: string): string =>
  html.replace(/<script [^>]*src="[^"]*own-page\.\w+\.js"[^>]*><\/script>/, '')
