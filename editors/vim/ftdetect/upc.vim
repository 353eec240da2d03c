" UPC sources, headers and what upcc -E leaves
autocmd BufNewFile,BufRead *.upc,*.uph,*.upci setfiletype upc
