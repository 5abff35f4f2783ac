/** A file and its imports as one minified script (integrations/inline-scripts.ts). */
declare module '*?inline-script' {
  const code: string
  export default code
}
