# fish completion of Banyan's commands: options as --help lists them; fish itself offers files
for command in upcc upcrun banyan-info banyan-tune banyan-sim banyan-mpi upc-language-server uoms uoms-compare uoms-guidelines uoms-launches uoms-report
    # These take one dash for two, and two for one: as they are begun
    set -l spelled
    contains $command banyan-sim uoms upcrun
    and set spelled "| string replace -r '^-+(?=[A-Za-z].)' -- (commandline -ct | string match -r '^-+')"
    complete -c $command -n 'string match -q -- "-*" (commandline -ct)' -a "($command --help 2>/dev/null |
        string match -r '^ {1,8}-.*' | string trim | string replace -r '  .*' '' |
        string match -ra -- '(?<=^|[ ,])--?[A-Za-z][A-Za-z_-]*' $spelled)"
end
# Behind its options banyan-mpi has a command, with a completion of its own
complete -c banyan-mpi -n 'not string match -q -- "-*" (commandline -ct)' -a '(__fish_complete_subcommand)'
