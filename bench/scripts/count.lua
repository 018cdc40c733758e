function count()
    local i = 0
    while i < 100000 do i = i + 1 end
    return i
end
