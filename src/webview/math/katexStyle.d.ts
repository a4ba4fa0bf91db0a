// The stylesheet of KaTeX, which the build writes beside the script.
declare module 'katex/dist/katex.min.css'
