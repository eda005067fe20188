module interop/azclient

go 1.26.8
